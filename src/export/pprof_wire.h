/*
 * How a profile.proto is written: the wire format of protocol buffers
 * (varints, length-delimited fields, packed numbers) and, around it, gzip.
 *
 * gzip here is RFC 1952 with stored blocks (RFC 1951, 3.2.4): nothing is
 * compressed, so no library is needed, and every reader takes it.
 */
#ifndef EXPORT_PPROF_WIRE_H
#define EXPORT_PPROF_WIRE_H

#include <stddef.h>
#include <stdint.h>

struct buf;

void wire_varint(struct buf *b, uint64_t v);
/* A field that is a number; 0 is not written, it is what is read anyway. */
void wire_number(struct buf *b, unsigned field, uint64_t v);
void wire_bytes(struct buf *b, unsigned field, const void *p, size_t n);
/* The bytes of `from` as a field of b; empties `from`. */
void wire_message(struct buf *b, unsigned field, struct buf *from);

void wire_gzip(struct buf *b, const void *p, size_t n);

#endif
