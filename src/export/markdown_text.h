/*
 * Strings of any bytes in Markdown as GitHub reads it, so that they show as
 * they are and end neither their cell nor their line.
 */
#ifndef EXPORT_MARKDOWN_TEXT_H
#define EXPORT_MARKDOWN_TEXT_H

struct buf;

/* Plain text. */
void markdown_text(struct buf *b, const char *s);
/* As code; "" gives nothing. */
void markdown_code(struct buf *b, const char *s);
/* Lines of code, between fences. */
void markdown_block(struct buf *b, const char *s);

#endif
