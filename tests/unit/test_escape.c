/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c src/model/name.c src/export/escape.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "export/escape.h"

typedef void escape_fn(struct buf *b, const char *s);

static void
expect(escape_fn *fn, const char *s, const char *want)
{
	struct buf b = BUF_INIT;

	fn(&b, s);
	assert_string_equal(buf_str(&b), want);
	buf_fini(&b);
}

#define BAD "\xef\xbf\xbd" /* U+FFFD */

static void
xml(void **state)
{
	(void)state;
	expect(escape_xml, "", "");
	expect(escape_xml, "a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;");
	expect(escape_xml, "]]>&amp;", "]]&gt;&amp;amp;");
	/* control characters, those of eight bits (U+0085) too */
	expect(escape_xml, "\x01\t\n\r\x1b[31m\x7f\xc2\x85",
	    "\\x01\\t\\n\\x0d\\x1b[31m\\x7f\\x85");
	expect(escape_xml, "größe 日本 \xf0\x9f\x98\x80",
	    "größe 日本 \xf0\x9f\x98\x80");
	/* cut, overlong, a surrogate, U+FFFE, right-to-left override */
	expect(escape_xml, "\xe6\x97", BAD BAD);
	expect(escape_xml, "\xc0\xaf", BAD BAD);
	expect(escape_xml, "\xef\xbf\xbe", BAD);
	expect(escape_xml, "x\xe2\x80\xaey", "x" BAD "y");
	expect(escape_xml_lines, "a\n<\x01\n", "a\n&lt;\\x01\n");
}

/* In graphviz' quoted strings backslashes escape, entities are read. */
static void
dot(void **state)
{
	(void)state;
	expect(escape_dot, "a\"b\\c\\N", "a\\\"b\\\\c\\\\N");
	expect(escape_dot, "f(T&, U&&) &lt; &#60; a&b",
	    "f(T&, U&&) &amp;lt; &amp;#60; a&amp;b");
	expect(escape_dot, "a\nb\x1b", "a\\\\nb\\\\x1b");
	expect(escape_dot, "<b>%s%n{|}", "<b>%s%n{|}");
	expect(escape_dot_lines, "a\n\"b\"\n", "a\\n\\\"b\\\"\\n");
}

static void
fit(void **state)
{
	struct buf b = BUF_INIT, name = BUF_INIT;

	(void)state;
	/* what fits is left alone, parameters and all */
	escape_fit(&b, "f(int)", 6);
	assert_string_equal(buf_str(&b), "f(int)");
	buf_clear(&b);
	escape_fit(&b, "f(int)", 5);
	assert_string_equal(buf_str(&b), "f");
	buf_clear(&b);
	buf_puts(&name, "std::vector<");
	buf_pad(&name, 'x', 10240);
	buf_puts(&name, ">::grow(int)");
	escape_fit(&b, buf_str(&name), 100);
	assert_string_equal(buf_str(&b), "std::vector<…>::grow");
	buf_clear(&b);
	/* a label's mark is no parameter list */
	buf_puts(&name, " (inline)");
	escape_fit(&b, buf_str(&name), 100);
	assert_string_equal(buf_str(&b), "std::vector<…>::grow (inline)");
	buf_clear(&b);
	escape_fit(&b, buf_str(&name), 8);
	assert_string_equal(buf_str(&b), "…::grow");
	buf_fini(&b);
	buf_fini(&name);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(xml),
		cmocka_unit_test(dot),
		cmocka_unit_test(fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
