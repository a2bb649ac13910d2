/*
 * Reader of the text heap profiles of gperftools and of its kin.
 *
 * "heap profile: n: s [n: s] @ TYPE", then a line "n: s [n: s] @ address..."
 * for each stack, then MAPPED_LIBRARIES:.  What TYPE says of the figures:
 *
 *   heap_v2/P, heapz_v2/P   sampled at a mean distance of P: HEAP_V2
 *   unsampled/P             estimates of such (--raw): HEAP_UNSAMPLED
 *   heap/P                  version 1, at a mean distance of P / 2: HEAP_V1
 *   heapprofile, growth, growthz, fragmentationz, others    all blocks
 *   none                    version 1 at 128 KiB if the two pairs are equal
 *
 * Rows are unsampled one by one, then added up.  All addresses are return
 * addresses, the first too: the tracer leaves out its own frames.
 */
#ifndef IO_GPERFFILE_H
#define IO_GPERFFILE_H

struct err;
struct heapread;
struct heapread_from;
struct profile;

#define GPERFFILE_MARK "heap profile:"

/* As heapfile_read and heapfile_body. */
int gperffile_read(
    const struct heapread_from *from, struct profile *p, struct err *e);
int gperffile_body(struct heapread *r, const char *header, struct err *e);

#endif
