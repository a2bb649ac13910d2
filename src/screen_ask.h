/*
 * What the user asks for on the screen of a running process.
 */
#ifndef SCREEN_ASK_H
#define SCREEN_ASK_H

struct request;
struct session;
struct target;
struct watch;

/* For struct screen_owner; `arg` is the watch. */
void ask_serve(void *arg, const struct request *r);

/* Tell a target what is wanted and it does not know yet; call when it has
 * answered anything. */
void ask_due(struct watch *w, struct target *t);
/* For struct session. */
void ask_answered(
    struct session *s, struct target *t, int error, const char *text);

/* End the recording, if there is one, and say what is in it. */
void ask_record_end(struct watch *w);

#endif
