# Pictures: a flame graph without any other program, graphs by graphviz; with
# names that are markup, quotes and formats, which must stay text.

fail() {
	echo "$*"
	head -c 2000 log 2>/dev/null
	exit 1
}

# well FILE...: is it XML?
well() {
	for f; do
		if command -v xmllint >/dev/null; then
			xmllint --noout "$f" || fail "$f is not well-formed"
		else
			python3 -c 'import sys, xml.dom.minidom as x
x.parse(sys.argv[1])' "$f" || fail "$f is not well-formed"
		fi
	done
}

cat >odd.c <<'END'
#include <stdlib.h>
void *volatile keep[8];
#define F(i) \
	__attribute__((noinline)) void fn_##i(void) \
	{ \
		keep[i] = malloc(1000000 + i); \
	}
F(0) F(1) F(2) F(3) F(4) F(5)
int main(void) { fn_0(); fn_1(); fn_2(); fn_3(); fn_4(); fn_5(); return 0; }
END
"$CC" -O1 -g0 -c -o odd.o odd.c && objcopy \
    --redefine-sym 'fn_0=<script>alert(1)</script>' \
    --redefine-sym 'fn_1=quote"d\n&lt;' \
    --redefine-sym 'fn_2=percent%s%n' \
    --redefine-sym 'fn_3=]]>' \
    --redefine-sym "fn_4=日本$(printf '\033')[31m" \
    odd.o && "$CC" -o odd odd.o || exit 1

draw() { # OPTION FILE [PATH]
	env PATH="${3-$PATH}" "$HEAPTOP" --exact "$1" -o "$2" -- ./odd \
	    >log 2>&1 || fail "$1: status $?"
}

# ---- the flame graph needs nothing ----

draw --flamegraph f.svg /nonexistent
draw --flamegraph again.svg
cmp f.svg again.svg || fail 'not the same twice'
well f.svg
for name in '&lt;script&gt;alert(1)&lt;/script&gt;' 'quote&quot;d\\n&amp;lt;' \
    'percent%s%n' ']]&gt;' '日本' 'fn_5'; do
	grep -q "$name" f.svg || fail "$name is not in f.svg"
done
[ "$(wc -c <f.svg)" -lt 40000 ] || fail 'f.svg is too large'
# all the four figures
grep -A 4 '<title>fn_5' f.svg >log
{
	grep -q 'cum 984\.0 KiB (16\.7%), flat 984\.0 KiB (16\.7%)' log &&
	    grep -q '^1 object' log
} || fail 'fn_5 is not described'

# ---- graphs ----

draw --dot o.dot
grep -q 'percent%s%n' o.dot || fail 'percent%s%n is not in o.dot'
if ! command -v dot >/dev/null; then
	"$HEAPTOP" --exact --svg -o o.svg -- ./odd 2>log &&
	    fail '--svg without dot: status 0'
	grep -q 'install the package graphviz.*--dot' log ||
	    fail 'no word about graphviz'
	echo 'no dot: graphs are not drawn'
	exit 77
fi
dot -Tsvg o.dot >d.svg 2>log || fail 'dot on o.dot'
[ ! -s log ] || fail 'dot complains about o.dot'
draw --svg o.svg
draw --pdf o.pdf
draw --ps o.ps
draw --png o.png
well d.svg o.svg
for f in d.svg o.svg; do
	grep -q 'alert(1)&lt;' $f || fail "no name with markup in $f"
done
sed -n '/<title>fn_5/,/<\/title>/p' o.svg >log
for line in 'flat 1\.0 MB (16\..%)' 'cum 1\.0 MB' 'objects: flat 1, cum 1'; do
	grep -q "^$line" log || fail "not in a title of o.svg: $line"
done
grep -q '<script>' o.svg || fail 'o.svg has no script'
grep -q '<script>' d.svg && fail 'd.svg has a script'
[ "$(head -c 5 o.pdf)" = %PDF- ] || fail 'no PDF'
[ "$(head -c 4 o.ps)" = %!PS ] || fail 'no PostScript'
[ "$(head -c 4 o.png | tail -c 3)" = PNG ] || fail 'no PNG'
! command -v pdftotext >/dev/null || pdftotext o.pdf - | grep -q fn_5 ||
    fail 'no fn_5 in the PDF'

# graphviz is not there, or fails
mkdir bin
status=0
PATH=$PWD/bin "$HEAPTOP" --exact --svg -o no.svg -- ./odd 2>log || status=$?
[ $status = 125 ] || fail "without dot: status $status"
grep -q 'install the package graphviz.*--dot' log ||
    fail 'no word about graphviz'
printf '#!/bin/sh\necho "Error: out of ink" >&2\nexit 1\n' >bin/dot
chmod +x bin/dot
PATH=$PWD/bin:$PATH "$HEAPTOP" --exact --svg -o no.svg -- ./odd 2>log &&
    fail 'a failing dot: status 0'
grep -q 'dot could not draw the graph: Error: out of ink' log ||
    fail "not dot's words"

# ---- in a browser ----

browser=$(command -v chromium || command -v chromium-browser) || exit 0

# What the script in FILE.svg made of what the second script did.
browse() { # FILE
	sed '$d' "$1" >b.svg
	{
		echo '<script><![CDATA[const log = [];'
		echo 'const key = (k, t) =>'
		echo ' (t || document.activeElement || document).dispatchEvent('
		echo ' new KeyboardEvent("keydown", { key: k, bubbles: true }));'
		cat
		echo 'document.querySelector("title").textContent ='
		echo '"LOG " + log.join(" | ");]]></script></svg>'
	} >>b.svg
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu \
	    --user-data-dir="$PWD/profile" --virtual-time-budget=2000 \
	    --dump-dom "file://$PWD/b.svg" 2>browser.err >dom
	grep -o '>LOG [^<]*' dom >log || {
		tail -n 3 browser.err
		echo 'the browser does not run here'
		exit 77
	}
}

browse f.svg <<'END'
const boxes = [...document.querySelectorAll(".frames > g")];
const name = (g) => g.querySelector("title").textContent.split("\n")[0];
const input = document.querySelector("input");
const found = document.querySelector("[role=status]");
const find = (s) => {
	input.value = s;
	input.dispatchEvent(new Event("input"));
	log.push(found.textContent);
};
boxes[0].focus();
key("ArrowDown");
log.push(name(document.activeElement));
find("^fn_|percent");
find("(");
find("^fn_5$");
key("Enter", input);
log.push(name(document.activeElement));
key("Enter");
log.push(document.activeElement.querySelector("rect").getAttribute("x"));
log.push(boxes.filter((g) => g.style.display !== "none").length);
log.push(location.hash.startsWith("#s=%5Efn_5%24&z="));
key("Escape");
log.push(location.hash);
log.push(boxes.every((g) => g.style.display !== "none"));
END
grep -q '>LOG _start | 33\.3% in 2 | not a regular expression | 16\.7% in 1 |' \
    log || fail 'the search in the flame graph'
# zoomed: it and what called it
grep -q '| fn_5 | 10.00 | 6 | true | #s=%5Efn_5%24 | true$' log ||
    fail 'the zoom of the flame graph'

browse o.svg <<'END'
const svg = document.documentElement, box = svg.viewBox.baseVal;
const width = box.width, x = box.x;
key("+", document);
log.push(Math.round(100 * width / box.width));
key("ArrowRight", document);
log.push(box.x > x);
svg.dispatchEvent(new WheelEvent("wheel", { deltaY: 100, clientX: 9 }));
log.push(box.width > width / 1.25);
key("0", document);
log.push(box.width === width && box.x === x);
END
grep -q '>LOG 125 | true | true | true$' log || fail 'the zoom of the graph'
exit 0
