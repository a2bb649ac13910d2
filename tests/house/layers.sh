#!/bin/sh
# tests/layers.sh lets through what is allowed and finds each kind of breach.
set -u
script=$SRC/tests/layers.sh
mkdir -p tree/src/base tree/src/model tree/src/io tree/src/export tree/ui \
    tree/prof build/o/ht/src/base
cd tree || exit 1

# put FILE HEADER...
put() {
	file=$1
	shift
	printf '#include %s\n' "$@" >"$file"
}

look() {
	SRC=. BUILD=../build sh "$script" >../found
}

put src/main.c '"session.h"' '"ui/app.h"' '"config.h"' '<stdio.h>'
put src/options.c '"options.h"' '"model/query.h"' '"io/loop.h"'
put src/base/buf.c '"base/err.h"'
put src/model/tree.c '"base/err.h"' '"model/report.h"'
put src/io/dumpread.c '"prof/format.h"' '"model/profile.h"' '"io/loop.h"'
put src/io/demangle.c '<libiberty/demangle.h>'
put src/export/heap.c '"prof/heapv2.h"' '"export/export.h"'
put ui/term.c '<curses.h>' '"model/report.h"'
put prof/entry.c '"cache.h"' '<string.h>'
(look) || { echo "found in an innocent tree:"; cat ../found; exit 1; }

put src/options.c '"ui/app.h"' '"prof/format.h"'
put src/base/buf.c '"model/tree.h"'
put src/model/tree.c '"io/loop.h"' '"prof/format.h"'
put src/io/dumpread.c '"export/export.h"' '"prof/cache.h"' '<curses.h>'
put src/io/demangle.c '<elfutils/libdw.h>'
put src/export/heap.c '"io/loop.h"' '"prof/format.h"'
put ui/app.c '"io/loop.h"' '<curses.h>'
put prof/entry.c '"base/err.h"' '<libunwind.h>'
printf 'int state; static int hidden = 1;\nint f(void);\nint f(void) { return hidden++; }\nextern const char *const names[];\nconst char *const names[] = { "a" };\n' >src/base/map.c
"$CC" -fPIE -c src/base/map.c -o ../build/o/ht/src/base/map.o || exit 1
printf '/* %s: later */\n' "TO""DO" >src/base/fmt.c
look && { echo "nothing found in a guilty tree"; exit 1; }
cd ..
cat >wanted <<'END'
prof/entry.c:1: prof may not include base/err.h
prof/entry.c:2: prof may not include libunwind.h
src/base/buf.c:1: base may not include model/tree.h
src/export/heap.c:1: export may not include io/loop.h
src/export/heap.c:2: export may not include prof/format.h
src/io/demangle.c:1: io may not include elfutils/libdw.h
src/io/dumpread.c:1: io may not include export/export.h
src/io/dumpread.c:2: io may not include prof/cache.h
src/io/dumpread.c:3: io may not include curses.h
src/model/tree.c:1: model may not include io/loop.h
src/model/tree.c:2: model may not include prof/format.h
src/options.c:1: program may not include ui/app.h
src/options.c:2: program may not include prof/format.h
ui/app.c:1: ui may not include io/loop.h
ui/app.c:2: ui may not include curses.h
src/base/map.o: writable global hidden
src/base/map.o: writable global state
END
printf 'src/base/fmt.c:1:/* %s: later */\n' "TO""DO" >>wanted
sort wanted >wanted.sorted
sort found | diff wanted.sorted -
