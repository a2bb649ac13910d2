/*
 * Pieces of JSON (RFC 8259), for what is exported in it.
 */
#ifndef EXPORT_JSON_TEXT_H
#define EXPORT_JSON_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct buf;

/* s as UTF-8: each byte that is part of none is U+FFFD. */
void json_utf8(struct buf *b, const char *s);
/* The same as a string with its quotes. */
void json_string(struct buf *b, const char *s);
/* Nearest integer; null if it is no number. */
void json_whole(struct buf *b, double v);
/* With one decimal. */
void json_tenths(struct buf *b, double v);
/* "0123abcd": bytes in hexadecimal, as build-ids are written. */
void json_hex(struct buf *b, const uint8_t *bytes, size_t n);

#endif
