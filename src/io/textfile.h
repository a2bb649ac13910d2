/*
 * Reader of saved --text reports, jeprof's and our own: "Total: V U", then
 * rows "flat flat% sum% cum cum% name".  With --show_bytes U is B, else MB
 * (to a tenth) or objects; with --lines a name ends in "file:line", with
 * --addresses it begins with one.
 *
 * A report has no stacks, so the profile gets such as give the same report
 * again.  For a row of flat f and cumulative c: a stack of its function alone
 * that holds f, and one that holds c - f in something that the function
 * called.  What these add is taken off that something once, so its own sum is
 * 0 and the total is right.  What the total has more than the rows is a row
 * of its own.  A figure in MB is right to half a tenth, or better where its
 * share of a total below 100 MB tells; the variance of its rounding, a
 * twelfth of a tenth squared, is the row's.
 *
 * Which metric was asked is not told: bytes are taken for live bytes, objects
 * for live objects.  Places are names, equal in every report.
 */
#ifndef IO_TEXTFILE_H
#define IO_TEXTFILE_H

struct err;
struct heapread_from;
struct profile;

/* As heapfile_read. */
int textfile_read(
    const struct heapread_from *from, struct profile *p, struct err *e);

#endif
