/*
 * The end of a watched run: which processes there were, and the report that
 * stands for all of it.
 *
 * A report is about the launched process's last image; other processes that
 * had samples are named on stderr, or added up with --sum.  If that image had
 * none (a shell that starts the real program, say) the process with the
 * largest live heap is taken, and said.
 */
#ifndef FINISH_H
#define FINISH_H

#include <stdbool.h>

struct session;

/* The launched process has ended as `end` says: its image, too. */
void finish_root(struct session *s, const char *end);

/* Has any process had a sample? */
bool finish_any(const struct session *s);
/* Says that none had, and what to do. */
void finish_say_nothing(const struct session *s, const char *program);

/* Render and print what o->report asks for; its status, see reports.h. */
int finish_report(struct session *s);
/* The same while it goes on: what there is to say is left for the end, and
 * names are waited for no longer than that. */
void finish_snapshot(struct session *s, int names_ms);

#endif
