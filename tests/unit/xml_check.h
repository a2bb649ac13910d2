/*
 * Is it one well-formed XML element?  As much of the rules as matters to what
 * is written by hand: tags closed in order, attributes quoted, no bare
 * ampersand or angle bracket, only the named entities that XML knows, no
 * control characters.
 */
#ifndef XML_CHECK_H
#define XML_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define XML_DEPTH 64

static inline const char *
xml_entity(const char *s)
{
	static const char *const known[] = { "&amp;", "&lt;", "&gt;", "&quot;",
		"&#39;", "&#45;" };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strncmp(s, known[i], strlen(known[i])) == 0)
			return s + strlen(known[i]);
	return NULL;
}

/* Behind a start tag's attributes, at '>' or "/>"; NULL if they are wrong. */
static inline const char *
xml_attributes(const char *s)
{
	while (*s && *s != '>' && *s != '/') {
		if (*s++ != '"')
			continue;
		while (*s && *s != '"') {
			if (*s == '<' || (*s == '&' && !xml_entity(s)))
				return NULL;
			s++;
		}
		if (!*s++)
			return NULL;
	}
	return *s ? s : NULL;
}

static inline bool
xml_is_well_formed(const char *s)
{
	const char *open[XML_DEPTH];
	size_t length[XML_DEPTH], depth = 0, n;

	do {
		if (strncmp(s, "<![CDATA[", 9) == 0) {
			s = strstr(s, "]]>");
			if (!s)
				return false;
			s += 3;
		} else if (s[0] == '<' && s[1] == '/') {
			n = strcspn(s + 2, ">");
			if (depth-- == 0 || n != length[depth] ||
			    strncmp(open[depth], s + 2, n) != 0)
				return false;
			s += n + 3;
		} else if (*s == '<') {
			n = strcspn(s + 1, " />");
			if (n == 0 || depth == XML_DEPTH)
				return false;
			open[depth] = s + 1;
			length[depth++] = n;
			s = xml_attributes(s + 1 + n);
			if (!s)
				return false;
			if (*s == '/') {
				depth--;
				s++;
			}
			if (*s++ != '>')
				return false;
		} else if (*s == '&') {
			s = xml_entity(s);
			if (!s)
				return false;
		} else if (*s == '>' ||
		    ((unsigned char)*s < ' ' && *s != '\n')) {
			return false;
		} else {
			s++;
		}
	} while (depth > 0);
	return s[0] == '\n' && s[1] == '\0';
}

#endif
