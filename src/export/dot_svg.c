#include "export/dot_svg.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "export/dot_graph.h"
#include "export/dot_script.h"
#include "export/escape.h"

#define TITLE     "<title>"
#define TITLE_END "</title>"

/* What is left of the text. */
struct text {
	const char *s, *end;
};

/* Up to where `what` begins, or to the end; *found says which. */
static const char *
find(const struct text *t, const char *what, bool *found)
{
	const char *at =
	    memmem(t->s, (size_t)(t->end - t->s), what, strlen(what));

	*found = at != NULL;
	return at ? at : t->end;
}

static bool
take(struct text *t, const char *what)
{
	size_t n = strlen(what);

	if ((size_t)(t->end - t->s) < n || memcmp(t->s, what, n) != 0)
		return false;
	t->s += n;
	return true;
}

/* "N12": 12; 0 if it is no node. */
static size_t
take_node(const struct graph *g, struct text *t)
{
	size_t n = 0;

	if (!take(t, "N"))
		return 0;
	for (; t->s < t->end && *t->s >= '0' && *t->s <= '9'; t->s++)
		if (n <= g->node_count)
			n = n * 10 + (size_t)(*t->s - '0');
	return n <= g->node_count ? n : 0;
}

static void
describe_edge(const struct graph *g, size_t from, size_t to, struct buf *b)
{
	for (size_t i = 0; i < g->edge_count; i++)
		if (g->edges[i].from == from && g->edges[i].to == to) {
			graph_describe_edge(g, &g->edges[i], b);
			return;
		}
}

/* "N1", "N1&#45;&gt;N2"; anything else is left as it is. */
static void
put_title(const struct graph *g, struct text t, struct buf *b)
{
	struct text whole = t;
	struct buf title = BUF_INIT;
	size_t from = take_node(g, &t), to = 0;

	if (from && t.s == t.end)
		graph_describe(g, from, &title);
	else if (from && (take(&t, "&#45;&gt;") || take(&t, "-&gt;")))
		to = take_node(g, &t);
	if (to && t.s == t.end)
		describe_edge(g, from, to, &title);
	if (title.len)
		escape_xml_lines(b, buf_str(&title));
	else
		buf_put(b, whole.s, (size_t)(whole.end - whole.s));
	buf_fini(&title);
}

static const char *
last_tag(const char *svg, size_t len)
{
	static const char end[] = "</svg>";

	for (size_t i = len; i-- > 0;)
		if (len - i >= sizeof end - 1 &&
		    memcmp(svg + i, end, sizeof end - 1) == 0)
			return svg + i;
	return svg + len;
}

static void
put_script(struct buf *b)
{
	buf_puts(b, "<script><![CDATA[\n");
	buf_puts(b, dot_script);
	buf_puts(b, "]]></script>\n");
}

void
export_dot_svg(const struct report *r, const struct export_options *o,
    const char *svg, size_t len, struct buf *b)
{
	const char *last = last_tag(svg, len);
	struct text t = { svg, last };
	struct graph g;

	graph_build(&g, r, o);
	while (t.s < t.end) {
		bool title, closed;
		const char *at = find(&t, TITLE, &title);

		buf_put(b, t.s, (size_t)(at - t.s));
		t.s = at;
		if (!title)
			break;
		take(&t, TITLE);
		buf_puts(b, TITLE);
		at = find(&t, TITLE_END, &closed);
		put_title(&g, (struct text){ t.s, at }, b);
		t.s = at;
	}
	if (last < svg + len)
		put_script(b);
	buf_put(b, last, (size_t)(svg + len - last));
	graph_fini(&g);
}
