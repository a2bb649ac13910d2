/*
 * The state of the screen and its reducer: an event goes in, the state
 * changes, and a request to the session may come out.  No I/O, no clock: time
 * comes in with events.  Everything that is drawn is a function of struct app
 * (frame.h); its fields are open so that views and tests can read them, and
 * only app_* and the act() of a view write them.
 *
 * How the session goes with it:
 *
 *	app_init(&app, &query, w, h)     query: what the options ask
 *	for each event  r = app_event(&app, &event); do what r says
 *	app.dirty & APP_DIRTY_PINS       pin the snapshots of app_pins, let go
 *	                                 of those pinned before (profile_pin)
 *	when a frame is due (at most one per 50 ms) and app.dirty is not 0:
 *	  if app_wants_report(&app)      report_build with app.query, then send
 *	                                 APP_REPORT with it; free the old one
 *	                                 after that event, not before
 *	  ui_render(&app, &grid), blit, app.dirty = 0
 *
 * A report must be rebuilt and sent before the next frame whenever a snapshot
 * was committed or names came (APP_DATA); while the screen is paused or looks
 * back, app.ask.at keeps it at its moment.  Strings, bytes and points in
 * events are copied; the report is borrowed until the next APP_REPORT or
 * APP_OTHER, APP_MORE, or app_fini.
 * Patterns of the query given to app_init are borrowed for good; those the
 * app makes itself are its own and live until the next APP_REPORT.
 *
 * What is exported is the report as the screen has it: if a report is wanted
 * when REQUEST_EXPORT comes, build it first.
 *
 * When more was read of a series the session sends APP_MORE with the points of
 * the new profile, then APP_TARGET and APP_DATA; the old report and profile may
 * be freed after APP_MORE.  Marks and the moment that is looked at are found
 * again by their times.
 *
 * When another process is to be shown (REQUEST_PROCESS, or the first one is
 * gone) the session sends APP_OTHER, then APP_TARGET, APP_STATUS and
 * APP_DATA of the new one; the old report may be freed after APP_OTHER.  What
 * was printed stays: it is the output of all of them.
 *
 * After an event the session asks app_wants_source and, if it says so,
 * answers with APP_SOURCE, at once or later; it need not ask twice for one
 * file and line.
 *
 * Times are CLOCK_MONOTONIC ns of the target's machine unless they say
 * otherwise; bytes are bytes.
 */
#ifndef UI_APP_H
#define UI_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fmt.h"
#include "model/query.h"
#include "model/scroll.h"
#include "model/stacks.h"
#include "ui/grid.h"
#include "ui/key.h"
#include "ui/keymap.h"
#include "ui/layout.h"
#include "ui/list.h"
#include "ui/prompt.h"
#include "ui/view_flame.h"
#include "ui/view_growth.h"
#include "ui/view_memory.h"
#include "ui/view_snapshots.h"
#include "ui/view_threads.h"
#include "ui/view_tree.h"

struct memory_seen;
struct place;
struct report;
struct report_row;

#define APP_TEXT 256

/* Who is watched.  "" and 0 where not known. */
struct app_target {
	char name[64];          /* "ingestd" */
	char command[APP_TEXT]; /* with its arguments */
	char exe[APP_TEXT];     /* path of the executable */
	uint32_t pid;
	unsigned threads;
	uint64_t start_ns;    /* when the image began: 0:00 of all clocks */
	uint64_t rss_bytes;   /* shown until a snapshot says it */
	uint64_t interval_ns; /* between snapshots */
	uint32_t lg_sample;   /* shown until a snapshot says it */
	bool active;          /* false: sampling is switched off */
	bool ours;            /* heaptop started it */
	/* The program that heaptop started still runs, whichever process is
	 * shown: quitting asks what is to become of it. */
	bool running;
	char launched[64]; /* its name, "" if it is `name` */
	/* Moments are not known, only their order (dumps without a time):
	 * the n-th point is said where there would be a clock, and nothing is
	 * said per second. */
	bool untimed;
	/* Dumps: the path of snapshot `id` is [id - 1]; borrowed until the
	 * next APP_TARGET, APP_MORE or APP_OTHER. */
	char *const *files;
	size_t file_count;
	bool recording; /* a recording is being written */
	/* Which one of how many that are watched: "2 of 5"; 0: only one. */
	unsigned shown, processes;
	bool has_terminal; /* what it prints comes to us through a pty */
	bool takes_input;  /* and its standard input is that pty */
	char output_file[APP_TEXT]; /* --target-output, or "" */
	/* Where names were looked for and what to do, for the notice about a
	 * program without symbols: a sentence or "". */
	char names_hint[APP_TEXT];
};

enum app_connection {
	APP_WAITING, /* no sample yet, or not connected */
	APP_LIVE,
	APP_LATE,   /* no answer for 2 s and more */
	APP_ENDED,  /* exited, or became another program */
	APP_KILLED, /* by a signal */
	APP_FILE,   /* a recording or dumps; there is nobody to ask */
};

/* State of the connection. */
struct app_status {
	enum app_connection connection;
	/* LATE: how long without an answer, sent again when it has grown by a
	 * second.  ENDED, KILLED: the moment. */
	uint64_t ns;
	/* ENDED "exited 0", "exec"; KILLED "SIGSEGV"; FILE the file's name. */
	char what[64];
	/* WAITING: why there is nothing (not preloaded, refused...) and what
	 * to do; ENDED and KILLED: what happened: "ingestd was killed by
	 * SIGSEGV (core dumped)".  One sentence or "". */
	char sentence[APP_TEXT];
	char last_line[APP_TEXT]; /* what it printed last, or "" */
	/* FILE: how many files of a series have been read, of how many; 0
	 * when there is nothing left to read. */
	size_t read, to_read;
};

/* What one retained snapshot was as a whole; `lost` are samples since the
 * start, by enum profile_loss up to LOSS_NOMEM.  0: not known. */
#define APP_LOSSES 4
struct app_point {
	snap_id id;
	uint64_t ns;
	double live_bytes, objects;
	uint64_t rss_bytes;
	uint64_t lost[APP_LOSSES];
	uint32_t stacks;
	uint8_t lg_sample;
	bool active; /* sampling was on */
};

enum app_event_kind {
	APP_KEY,     /* key, now_ns */
	APP_RESIZE,  /* width, height */
	APP_DATA,    /* a snapshot or names came; now_ns */
	APP_REPORT,  /* report, points, point_count */
	APP_TARGET,  /* target */
	APP_STATUS,  /* status */
	APP_MESSAGE, /* text, bad: what became of a request */
	APP_OUTPUT,  /* data, len, lost: the program printed this */
	APP_OTHER,   /* from now on another process is shown */
	APP_MORE,    /* points, point_count: more was read of a series, into
	              * another profile: snapshots have other ids */
	APP_SOURCE,  /* source_file, source_line, first_line, text or why */
	APP_EXISTS,  /* request: a file of that name is there already */
	APP_MEMORY,  /* memory: a look at the mappings of the process */
};

struct app_event {
	enum app_event_kind kind;
	struct key key;
	int width, height;
	uint64_t now_ns; /* 0: not known */
	/* Built with app.ask; NULL: there is none any more.  The points are
	 * the whole run, oldest first (timeline_points makes them from a
	 * history). */
	const struct report *report;
	const struct app_point *points;
	size_t point_count;
	size_t kept_bytes; /* memory that history takes; 0: not known */
	const struct app_target *target;
	const struct app_status *status;
	const char *text;
	bool bad;
	/* Raw bytes; `lost`: something before them is missing. */
	const char *data;
	size_t len;
	bool lost;
	/* Of what app_wants_source wanted: `text` is the file from line
	 * `first_line` (from 1) on, some 100 lines to each side; or NULL, and
	 * `why` is a sentence: "src/decode.c is not here; set
	 * HEAPTOP_SOURCE_PATH". */
	const char *source_file;
	uint32_t source_line, first_line;
	const char *why;
	const struct request *request;    /* as it was made */
	const struct memory_seen *memory; /* copied */
};

enum request_kind {
	REQUEST_NONE,
	REQUEST_QUIT,      /* leave; the target is left as it is */
	REQUEST_TERMINATE, /* SIGTERM to the target, then leave */
	REQUEST_SUSPEND,   /* stop heaptop (C-z) */
	REQUEST_REDRAW,    /* term_redraw */
	REQUEST_PULL,      /* take a snapshot now */
	REQUEST_INTERVAL,  /* ns between snapshots */
	REQUEST_RATE,      /* lg_sample: mallctl prof.lg_sample */
	REQUEST_ACTIVE,    /* on: mallctl prof.active */
	/* These three make a file; if there is one of that name and not
	 * `overwrite`, they are answered with APP_EXISTS. */
	REQUEST_EXPORT,      /* format, file: the report as it is shown */
	REQUEST_RECORD,      /* file: begin a recording; "": end it */
	REQUEST_SAVE_OUTPUT, /* file: scroll_text of app.output */
	REQUEST_PRINT,   /* keep the text of detail_text for after the end */
	REQUEST_TYPE,    /* bytes, byte_count: into the program's terminal */
	REQUEST_PROCESS, /* show the next process */
	REQUEST_EDIT,    /* an editor at app_source_place */
	REQUEST_COPY,    /* detail_text, for the clipboard */
	REQUEST_SET,     /* bytes of file: "theme=light" */
};

/* A way to export.  The session knows what they are; the app offers them. */
struct app_format {
	const char *name;   /* "flamegraph": what is typed behind :export */
	const char *what;   /* "flame graph to zoom"; NULL: the name */
	const char *ending; /* of a file's name: "svg" */
	char key;           /* what chooses it */
	bool series;        /* there must be several moments */
	bool process;       /* there must be a process: REQUEST_RECORD */
};

/* What the session is to do; it answers with APP_MESSAGE where a person
 * would want to know. */
struct request {
	enum request_kind kind;
	uint64_t ns;
	uint32_t lg_sample;
	bool on;
	size_t format; /* index into app.formats */
	bool overwrite;
	char file[APP_TEXT];
	char bytes[32];
	size_t byte_count;
};

/* What is to be done again before the next frame, least work last. */
enum app_dirty {
	APP_DIRTY_DATA = 1,  /* report, draw */
	APP_DIRTY_QUERY = 2, /* report, draw */
	APP_DIRTY_SIZE = 4,  /* layout (the app's own work), draw */
	APP_DIRTY_VIEW = 8,  /* draw */
	APP_DIRTY_PINS = 16, /* app_pins has changed; nothing to draw */
};

/* What lies over the view and takes the keys. */
enum app_over {
	OVER_NONE,
	OVER_HELP,
	OVER_EXPORT,
	OVER_QUIT,
	OVER_PROMPT,
	OVER_EXISTS,
};

enum app_prompt {
	PROMPT_FILTER,  /* '/' */
	PROMPT_KEEP,    /* '\' */
	PROMPT_COMMAND, /* ':' */
	PROMPT_RECORD,  /* name of a file */
	PROMPT_SEARCH,  /* '/' in the output */
	PROMPT_SAVE,    /* name of a file for the output */
	PROMPT_EXPORT,  /* name of a file for app.wanted.format */
	PROMPT_COUNT
};

/* What is said in place of the detail until the selection moves. */
enum app_notice {
	NOTICE_NONE,
	NOTICE_ENDED,
	NOTICE_NAMES, /* the program has no symbols */
};

struct app_mark {
	snap_id id; /* 0: not set */
	uint64_t ns;
};

/* What was selected in the view that one comes from, to be found in the next
 * report: a stack, and how far from its leaf the selected place is. */
struct app_seek {
	bool wanted;
	stack_id stack;
	uint32_t up; /* 0: the site */
	/* One asked to see just that there; else a view that was at some place
	 * that stack goes through may stay at it. */
	bool exact;
};

/* Lines of a source file; `file` "" if there are none. */
struct app_source {
	char *file;
	char *text; /* NULL: `why` says why it can't be read */
	uint32_t line, first_line;
	char why[APP_TEXT];
};

struct app {
	unsigned dirty; /* enum app_dirty; the session clears it */

	/* What there is to show. */
	const struct report *report;
	/* Of it; NULL while the profile is ahead of it. */
	struct age_view *ages;
	struct app_target target;
	struct app_status status;
	struct app_point *points;
	size_t point_count, point_cap;
	struct app_point *fresh; /* what came while the screen is paused */
	size_t fresh_count, fresh_cap;
	size_t kept_bytes;
	double peak;     /* largest live bytes seen */
	uint64_t now_ns; /* of the newest event that told it */
	/* Rows of the report that the list has, by index: those with nothing
	 * of their own only if one sorts by what they called. */
	uint32_t *listed;
	size_t listed_count, listed_cap;
	size_t listed_cut; /* to be listed, but not asked for */
	/* Without a filter, 0 if not known: how many rows there are, and the
	 * largest values among them. */
	size_t all;
	double all_max, all_cum;
	uint32_t names, names_known, names_coming; /* places in code */
	/* When the program's own were last looked at: frames_version, and how
	 * many there were. */
	uint64_t names_version;
	uint32_t names_seen;

	/* The question. */
	struct query asked; /* by the options */
	struct query query; /* what all views share */
	struct query ask;   /* with what the view that is shown wants */
	char filter[PROMPT_MAX + 1];    /* '/': gone with Esc */
	char only[PROMPT_MAX + 1];      /* kept: stacks that match */
	char hidden[PROMPT_MAX + 1];    /* kept: but none that match this */
	struct pattern *focus, *ignore; /* owned */
	struct pattern **old;           /* a report may still use them */
	size_t old_count, old_cap;
	char found[PROMPT_MAX + 1]; /* the last filter, for next and previous */

	/* Time: which moment is looked at, what it is compared with. */
	bool paused;
	uint64_t paused_ns; /* when */
	snap_id at;         /* 0: the newest */
	uint64_t at_ns;
	struct app_mark mark[2]; /* A, B */
	uint64_t pressed_ns; /* where the button went down on the timeline */

	/* Where we are. */
	int width, height;
	struct layout layout;
	enum context view; /* one that has a number */
	bool detail_full;  /* the detail over the whole screen */
	bool detail_keys;  /* the detail pane has the keys */
	struct app_seek seek;
	struct list rows; /* of Top */
	bool by_age; /* ages stand in place of the change, in Threads too */
	size_t rows_asked; /* most of them that the report is to have */
	/* What is to be done when it has them all. */
	enum action pending;
	struct growth_view growth;
	struct tree_view tree;
	struct flame_view flame;
	struct snapshots_view snapshots;
	struct threads_view threads;
	struct memory_view memory;
	size_t frame, frame_top; /* in the detail: selected, first seen */
	enum app_notice notice;
	bool names_told; /* the notice on names was seen */

	/* What the program printed, over the whole screen (console.h). */
	struct scroll output;
	bool output_shown;
	bool output_held;  /* not at the end: output_top stays */
	bool typing;       /* keys go to the program */
	size_t output_top; /* first line seen, of all there ever were */
	size_t output_hit; /* line of the last match; SIZE_MAX: none */
	int output_left;   /* columns scrolled sideways */
	char searched[PROMPT_MAX + 1];

	struct app_source source;

	enum app_over over;
	int over_first;        /* help: first line seen */
	int over_selected;     /* export: the line marked */
	struct request wanted; /* export, OVER_EXISTS: what is asked about */
	const struct app_format *formats; /* borrowed; none unless set */
	size_t format_count;
	struct keymap keys;
	enum app_prompt prompt;
	struct prompt prompts[PROMPT_COUNT];
	char message[512]; /* until the next key; "" none */
	bool message_bad;
};

/* `query` may be NULL.  Grouping, metric, order and patterns are taken from
 * it; the rest of the screen's query is the app's. */
void app_init(struct app *a, const struct query *query, int width, int height);
void app_fini(struct app *a);

struct request app_event(struct app *a, const struct app_event *e);
bool app_wants_report(const struct app *a);
/* A look at the mappings would be shown: they cost, so ask now and then. */
bool app_wants_memory(const struct app *a);
/* The file and line (from 1) whose text would be shown and was not asked for
 * yet; the name is the report's, good as long as it. */
bool app_wants_source(const struct app *a, const char **file, uint32_t *line);
/* Set mark A (0) or B (1) of the profile that is shown. */
void app_set_mark(struct app *a, int which, snap_id id, uint64_t ns);
/* The snapshots the screen needs, 0 where there is none. */
void app_pins(const struct app *a, snap_id pins[3]);

/* ---- for views and what draws ------------------------------------------ */

/* Where keys go. */
enum context app_context(const struct app *a);
/* What is on the screen, below what lies over it. */
enum context app_screen(const struct app *a);
/* Whether an action can be done at all: its view exists, there is another
 * process, the program takes input.  For keymap_hints and keymap_help. */
bool app_offers(const void *app, enum action action);
/* The selected row, or NULL. */
const struct report_row *app_selected(const struct app *a);
/* The i-th row of the list, or NULL. */
const struct report_row *app_row(const struct app *a, size_t i);
/* Those, where `page` of them are seen. */
struct list_rows app_rows(const struct app *a, size_t page);
/* How many there are in all: "1-16 of 317". */
size_t app_row_count(const struct app *a);
/* Time since the start of the target, of a moment. */
uint64_t app_since_start(const struct app *a, uint64_t ns);
/* A moment as it is written: "12:41", or "12" if it is the twelfth of moments
 * without a time. */
struct fmt app_clock(const struct app *a, uint64_t ns);
/* The moment that is shown, and the one it is compared with (the start if
 * there is no mark A). */
uint64_t app_shown_ns(const struct app *a);
uint64_t app_compared_ns(const struct app *a);
/* Samples that were lost, of the report. */
uint64_t app_lost(const struct app *a);
bool app_ended(const struct app *a);
bool app_is_file(const struct app *a); /* there is no program to ask */
bool app_filtered(const struct app *a);
/* Kept filters and the passing one as they are shown: "/intern \!foo". */
void app_filter_text(const struct app *a, char *text, size_t size);
/* "heaptop-41237-1241.txt" */
void app_file_name(const struct app *a, size_t format, char *s, size_t n);
/* Whether there is something to write in that format now. */
bool app_format_offered(const struct app *a, size_t format);
/* Whose source an editor would open: the selected frame's; false: none. */
bool app_source_place(const struct app *a, struct place *p);

/* ---- for the act() of views -------------------------------------------- */

/* A message is a line of at most 60 columns: of what it quotes this many. */
#define APP_SAY_NAME 40
/* The query's own fields were set: report again. */
void app_query_changed(struct app *a);
/* So many rows at first: very many take longer than a frame may. */
#define APP_ROWS 512
/* Another report, with so many rows at least; SIZE_MAX: with all. */
void app_more_rows(struct app *a, size_t rows);
/* Whether the report has all rows.  If not, they are asked for, and the
 * action is done when they are there. */
bool app_all_rows(struct app *a, enum action action);
/* The list must find its selection again (new report, size, filter). */
void app_lay_out(struct app *a);
/* Show another view, at what is selected in this one. */
void app_show_view(struct app *a, enum context view);
void app_say(struct app *a, bool bad, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether the row's name or a frame of its stack matches. */
bool app_row_matches(const struct report *r, const struct report_row *row,
    const struct pattern *p);
/* Keep only stacks through this function, or hide them; 0 or -1 if the
 * filter would be too long (said). */
int app_keep_name(struct app *a, const char *function, bool hide);

#endif
