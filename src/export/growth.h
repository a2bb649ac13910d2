/*
 * What growth and other reports say of a trend.
 */
#ifndef EXPORT_GROWTH_H
#define EXPORT_GROWTH_H

#include <stdbool.h>

#include "base/fmt.h"

struct buf;
struct report;
struct trend;
struct trends;

/* "grew and never fell". */
const char *growth_words(const struct trend *t);
/* "+2.1 MiB/s", with a ~ in front where the values scatter so much about the
 * line that it may be none; "" where it is not known or within the noise. */
struct fmt growth_rate(const struct report *r, const struct trends *t,
    const struct trend *row, bool ascii);
/* The values as blocks, one column each. */
void growth_put_spark(
    struct buf *b, const struct trends *t, const struct trend *row, bool ascii);

#endif
