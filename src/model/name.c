#include "model/name.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

static bool
has_head(const char *s, const char *head)
{
	return strncmp(s, head, strlen(head)) == 0;
}

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Bytes of an operator's name that begins at s[at], with its symbol, so that
 * its brackets are not taken for brackets; 0 if none does. */
static size_t
operator_len(const char *s, size_t at)
{
	/* longer ones before their heads */
	static const char *const symbols[] = { "()", "[]", "<=>",
		"<<=", ">>=", "->*", "<<", ">>", "->", "<=", ">=", "<", ">",
		" new[]", " delete[]", " new", " delete", " " };
	const char *p = s + at;

	if (!has_head(p, "operator") || (at > 0 && is_word(s[at - 1])) ||
	    is_word(p[8]))
		return 0;
	for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
		if (has_head(p + 8, symbols[i]))
			return 8 + strlen(symbols[i]);
	}
	return 8;
}

/* Where the bracket at s[at] closes (its closing sign), or the end of s.
 * Minds other kinds of brackets in between. */
static size_t
closing(const char *s, size_t at)
{
	size_t depth = 0, skip;

	for (; s[at]; at++) {
		skip = operator_len(s, at);
		if (skip) {
			at += skip - 1;
			continue;
		}
		if (strchr("(<[{", s[at]))
			depth++;
		else if (s[at] == '>' && at > 0 && s[at - 1] == '-')
			continue; /* an arrow */
		else if (strchr(")>]}", s[at]) && --depth == 0)
			return at;
	}
	return at;
}

static void
replace(struct buf *b, const char *from, const char *to)
{
	size_t from_len = strlen(from);
	const char *hit;
	struct buf out = BUF_INIT;
	const char *s = buf_str(b);

	if (!strstr(s, from))
		return;
	for (; (hit = strstr(s, from)); s = hit + from_len) {
		buf_put(&out, s, (size_t)(hit - s));
		buf_puts(&out, to);
	}
	buf_puts(&out, s);
	buf_fini(b);
	*b = out;
}

static void
shorten(struct buf *b, size_t len)
{
	b->len = len;
	b->data[len] = '\0';
}

/* "::h" and 16 hexadecimal digits: rustc's hash. */
static bool
ends_in_hash(const struct buf *b)
{
	const char *s = buf_str(b);

	if (b->len < 20 || !has_head(s + b->len - 19, "::h"))
		return false;
	return strspn(s + b->len - 16, "0123456789abcdef") == 16;
}

/* ".isra.0", ".part.1.cold" and the like: what gcc and clang append to the
 * names of copies. */
static void
cut_copies(struct buf *b)
{
	static const char *const marks[] = { ".isra.", ".part.", ".constprop.",
		".cold", ".lto_priv.", ".llvm." };
	const char *s = buf_str(b);
	const char *hit;

	hit = strstr(s, " [clone ");
	if (hit)
		shorten(b, (size_t)(hit - s));
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		hit = strstr(s, marks[i]);
		if (hit && hit > s && !strchr(hit, ':') && !strchr(hit, '('))
			shorten(b, (size_t)(hit - s));
	}
	if (ends_in_hash(b))
		shorten(b, b->len - 19);
}

static void
cut_abi_tags(struct buf *b)
{
	const char *hit;

	while (b->data && (hit = strstr(b->data, "[abi:"))) {
		const char *end = strchr(hit, ']');
		size_t at = (size_t)(hit - b->data);
		size_t len = end ? (size_t)(end - hit) + 1 : b->len - at;

		memmove(
		    b->data + at, b->data + at + len, b->len - at - len + 1);
		b->len -= len;
	}
}

/* Bytes of the qualifiers after a parameter list. */
static size_t
qualifiers(const char *s)
{
	static const char *const words[] = { " const", " volatile", " &&", " &",
		" noexcept" };
	size_t n = 0;

	for (size_t i = 0; i < sizeof words / sizeof words[0];) {
		size_t len = strlen(words[i]);

		if (has_head(s + n, words[i]) && !is_word(s[n + len])) {
			n += len;
			i = 0;
		} else {
			i++;
		}
	}
	return n;
}

/* Without the parameters of functions and lambdas; true if the name was one
 * of a function with parameters. */
static bool
drop_parameters(struct buf *b)
{
	const char *s = buf_str(b);
	struct buf out = BUF_INIT;
	bool any = false;
	size_t at = 0, end, skip;

	while (s[at]) {
		skip = operator_len(s, at);
		if (skip) {
			buf_put(&out, s + at, skip);
			at += skip;
		} else if (s[at] == '<') {
			end = closing(s, at);
			buf_put(&out, s + at, end - at + (s[end] != 0));
			at = end + (s[end] != 0);
		} else if (has_head(s + at, "(anon)")) {
			buf_puts(&out, "(anon)");
			at += 6;
		} else if (s[at] == '(' && at > 0) {
			any = true;
			end = closing(s, at);
			at = end + (s[end] != 0);
			at += qualifiers(s + at);
		} else {
			buf_putc(&out, s[at++]);
		}
	}
	if (out.len == 0) {
		buf_fini(&out);
		return false;
	}
	buf_fini(b);
	*b = out;
	return any;
}

/* What stands before the last blank outside brackets is the return type. */
static void
drop_return_type(struct buf *b)
{
	const char *s = buf_str(b);
	size_t from = 0;

	for (size_t at = 0; s[at]; at++) {
		if (operator_len(s, at))
			break;
		if (strchr("(<[{", s[at]))
			at = closing(s, at);
		if (!s[at])
			break;
		if (s[at] == ' ')
			from = at + 1;
	}
	/* References and pointers cling to the name's front. */
	while (s[from] == '&' || s[from] == '*')
		from++;
	if (from == 0 || !s[from])
		return;
	memmove(b->data, b->data + from, b->len - from + 1);
	b->len -= from;
}

static void
clean(struct buf *b, const char *name)
{
	buf_puts(b, name);
	cut_copies(b);
	cut_abi_tags(b);
	replace(b, "(anonymous namespace)", "(anon)");
	replace(b, "std::__cxx11::", "std::");
	replace(b,
	    "std::basic_string<char, std::char_traits<char>, "
	    "std::allocator<char> >",
	    "std::string");
	replace(b,
	    "std::basic_string<char, std::char_traits<char>, "
	    "std::allocator<char>>",
	    "std::string");
	if (drop_parameters(b))
		drop_return_type(b);
}

void
name_clean(struct buf *b, const char *name)
{
	struct buf own = BUF_INIT;

	/* Whatever is left out has one of these; names of C do not. */
	if (!strpbrk(name, ".([: ")) {
		buf_puts(b, name);
		return;
	}
	clean(&own, name);
	buf_put(b, buf_str(&own), own.len);
	buf_fini(&own);
}

/* Template arguments give way to `mark`. */
static void
fold_arguments(struct buf *to, const char *s, const char *mark)
{
	size_t at = 0, skip;

	while (s[at]) {
		skip = operator_len(s, at);
		if (skip) {
			buf_put(to, s + at, skip);
			at += skip;
		} else if (s[at] == '<') {
			buf_puts(to, mark);
			at = closing(s, at);
			at += s[at] != 0;
		} else {
			buf_putc(to, s[at++]);
		}
	}
}

/* Where the last `keep` scopes of the name begin; 0 if there are no more. */
static size_t
last_scopes(const char *s, int keep)
{
	size_t starts[3] = { 0 }; /* the last three, newest first */

	for (size_t at = 0; s[at]; at++) {
		size_t skip = operator_len(s, at);

		if (skip)
			at += skip - 1;
		else if (strchr("(<[{", s[at]))
			at = closing(s, at);
		else if (s[at] == ':' && s[at + 1] == ':') {
			starts[2] = starts[1];
			starts[1] = starts[0];
			starts[0] = at + 2;
			at++;
		}
		if (!s[at])
			break;
	}
	return starts[keep - 1];
}

static bool
fits(const struct buf *b, int cols)
{
	return b->len && utf8_width(buf_str(b)) <= cols;
}

/* The stages after cleaning, in `work`, until it fits. */
static void
fit_stages(struct buf *work, int cols, bool ascii)
{
	struct buf full = *work;
	const char *plain;

	*work = (struct buf)BUF_INIT;
	fold_arguments(work, buf_str(&full), ascii ? "<..>" : "<…>");
	if (fits(work, cols)) {
		buf_fini(&full);
		return;
	}
	buf_clear(work);
	fold_arguments(work, buf_str(&full), "");
	buf_clear(&full);
	plain = buf_str(work);
	buf_puts(&full, has_head(plain, "::") ? plain + 2 : plain);
	while (full.len && full.data[full.len - 1] == ' ')
		shorten(&full, full.len - 1);
	plain = buf_str(&full);
	buf_clear(work);
	buf_puts(work, plain);
	for (int keep = 2; keep >= 1 && !fits(work, cols); keep--) {
		size_t from = last_scopes(plain, keep);

		buf_clear(work);
		if (from)
			buf_puts(work, ascii ? "..::" : "…::");
		buf_puts(work, plain + from);
	}
	buf_fini(&full);
}

int
name_fit(struct buf *b, const char *name, int cols, bool ascii)
{
	struct buf work = BUF_INIT;
	int used;

	clean(&work, name);
	if (work.len && !fits(&work, cols))
		fit_stages(&work, cols, ascii);
	used = utf8_cut_left(b, buf_str(&work), cols, ascii ? "~" : "…");
	buf_fini(&work);
	return used;
}

int
name_fit_path(struct buf *b, const char *path, int cols, bool ascii)
{
	const char *mark = ascii ? "~" : "…";
	const char *s = path;

	if (utf8_width(path) <= cols) {
		buf_puts(b, path);
		return utf8_width(path);
	}
	while ((s = strchr(s + 1, '/'))) {
		if (utf8_width(s) + 1 <= cols && s[1]) {
			buf_puts(b, mark);
			buf_puts(b, s);
			return utf8_width(s) + 1;
		}
	}
	return utf8_cut_left(b, path, cols, mark);
}
