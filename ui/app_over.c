/* What lies over the view: prompts, help, choices. */
#include <stdio.h>
#include <string.h>

#include "ui/app_keys.h"
#include "ui/command.h"
#include "ui/console.h"
#include "ui/export_menu.h"
#include "ui/flame_parts.h"
#include "ui/help.h"

void
app_open(struct app *a, enum app_over over)
{
	a->over = over;
	a->over_first = a->over_selected = 0;
}

void
app_open_prompt(struct app *a, enum app_prompt which)
{
	struct prompt *p = &a->prompts[which];
	char text[PROMPT_MAX + 2] = "";

	if (which == PROMPT_FILTER)
		snprintf(text, sizeof text, "%s", a->filter);
	else if (which == PROMPT_KEEP)
		snprintf(text, sizeof text, "%s", a->only);
	else if (which == PROMPT_RECORD)
		snprintf(text, sizeof text, "heaptop-%u.htd.gz", a->target.pid);
	else if (which == PROMPT_SAVE)
		snprintf(text, sizeof text, "heaptop-%u.out", a->target.pid);
	prompt_set(p, text);
	a->prompt = which;
	app_open(a, OVER_PROMPT);
}

/* In what is shown. */
static void
search(struct app *a, const char *text)
{
	if (a->output_shown)
		console_search(a, text);
	else
		flame_find(a, text);
}

static void
prompt_done(struct app *a, struct request *r)
{
	const char *text = a->prompts[a->prompt].text;

	switch (a->prompt) {
	case PROMPT_KEEP: app_set_kept(a, text); break;
	case PROMPT_COMMAND: app_command(a, text, r); break;
	case PROMPT_EXPORT:
		if (!*text)
			break;
		*r = a->wanted;
		snprintf(r->file, sizeof r->file, "%s", text);
		break;
	case PROMPT_RECORD:
		if (!*text)
			break;
		r->kind = REQUEST_RECORD;
		snprintf(r->file, sizeof r->file, "%s", text);
		break;
	case PROMPT_SAVE:
		if (!*text)
			break;
		r->kind = REQUEST_SAVE_OUTPUT;
		snprintf(r->file, sizeof r->file, "%s", text);
		break;
	case PROMPT_SEARCH: search(a, text); break;
	case PROMPT_FILTER:
	case PROMPT_COUNT: break; /* it took effect while typing */
	}
}

static void
key_prompt(struct app *a, struct key k, struct request *r)
{
	struct prompt *p = &a->prompts[a->prompt];

	if (a->prompt == PROMPT_COMMAND && k.code == K_TAB) {
		char text[PROMPT_MAX + 1];

		snprintf(text, sizeof text, "%s", p->text);
		command_complete(a, text);
		prompt_set(p, text);
		return;
	}
	switch (prompt_key(p, k)) {
	case PROMPT_CHANGED:
		if (a->prompt == PROMPT_FILTER)
			app_set_filter(a, p->text);
		break;
	case PROMPT_DONE:
		a->over = OVER_NONE;
		prompt_done(a, r);
		break;
	case PROMPT_CANCEL:
		a->over = OVER_NONE;
		if (a->prompt == PROMPT_FILTER)
			app_set_filter(a, "");
		else if (a->prompt == PROMPT_SEARCH)
			search(a, "");
		break;
	case PROMPT_IGNORED:
	case PROMPT_MOVED: break;
	}
}

static void
key_quit(struct app *a, struct key k, struct request *r)
{
	enum action action = keymap_action(&a->keys, k, CONTEXT_OVER);

	if (key_is_text(k) && (k.code == 't' || k.code == 'T'))
		r->kind = REQUEST_TERMINATE;
	else if (k.code == K_ENTER || action == ACTION_QUIT)
		r->kind = REQUEST_QUIT;
	else if (action != ACTION_BACK)
		return; /* it asks until it is answered */
	a->over = OVER_NONE;
}

static void
scroll_help(struct app *a, enum action action)
{
	int page = help_page(a), last = help_lines(a) - page;

	switch ((int)action) {
	case ACTION_UP: a->over_first--; break;
	case ACTION_DOWN: a->over_first++; break;
	case ACTION_PAGE_UP: a->over_first -= page; break;
	case ACTION_PAGE_DOWN: a->over_first += page; break;
	case ACTION_HALF_UP: a->over_first -= (page + 1) / 2; break;
	case ACTION_HALF_DOWN: a->over_first += (page + 1) / 2; break;
	case ACTION_FIRST: a->over_first = 0; break;
	case ACTION_LAST: a->over_first = last; break;
	default: break;
	}
	if (a->over_first > last)
		a->over_first = last;
	if (a->over_first < 0)
		a->over_first = 0;
}

static void
key_help(struct app *a, struct key k, struct request *r)
{
	enum action action = keymap_action(&a->keys, k, CONTEXT_OVER);

	if (k.code == K_WHEEL_UP || k.code == K_WHEEL_DOWN)
		action = k.code == K_WHEEL_UP ? ACTION_UP : ACTION_DOWN;
	if (action == ACTION_BACK || action == ACTION_HELP ||
	    k.code == K_CLICK || k.code == K_ENTER)
		a->over = OVER_NONE;
	else if (action == ACTION_QUIT) {
		a->over = OVER_NONE;
		app_quit(a, r);
	} else
		scroll_help(a, action);
}

void
app_over_key(struct app *a, struct key k, struct request *r)
{
	enum action action = keymap_action(&a->keys, k, CONTEXT_OVER);

	/* These work everywhere but where they are text. */
	if (action == ACTION_REDRAW || action == ACTION_SUSPEND) {
		r->kind =
		    action == ACTION_REDRAW ? REQUEST_REDRAW : REQUEST_SUSPEND;
		return;
	}
	switch (a->over) {
	case OVER_PROMPT: key_prompt(a, k, r); break;
	case OVER_QUIT: key_quit(a, k, r); break;
	case OVER_HELP: key_help(a, k, r); break;
	case OVER_EXPORT: export_menu_key(a, k, r); break;
	case OVER_EXISTS: export_menu_key_exists(a, k, r); break;
	case OVER_NONE: break;
	}
}
