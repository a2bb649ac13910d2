#!/bin/sh
# What configure promises: bad usage, missing packages, other directories.
set -u
failed=0

expect() { # WHAT WANTED GOT
	[ "$2" = "$3" ] && return
	echo "$1: wanted «$2», got «$3»"
	failed=1
}

# grep's verdict in words, to be expected.
says() { # PATTERN FILE
	if grep -q -e "$1" "$2"; then echo said; else echo silent; fi
}

# Its text is POSIX: dash reads it, whatever sh is here.
if command -v dash >/dev/null; then
	dash -n "$SRC/configure"
	expect "dash -n" 0 $?
fi

# Every option that is taken with an effect is in --help.
sh "$SRC/configure" --help >help.out
expect "--help" 0 $?
for option in prefix bindir libdir includedir datadir mandir enable-debug \
    enable-werror install-deps host help version; do
	expect "--help on --$option" said "$(says "--$option" help.out)"
done
expect "files after --help" help.out "$(echo *)"

# Bad usage: 2, one sentence, nothing written.
sh "$SRC/configure" --no-such-thing >out 2>err
expect "an unknown option" 2 $?
expect "its sentence" 1 "$(wc -l <err)"
expect "its name" said "$(says '--no-such-thing' err)"
sh "$SRC/configure" --prefix >out 2>err
expect "--prefix without a value" 2 $?
sh "$SRC/configure" --prefix=here >out 2>err
expect "a relative prefix" 2 $?
expect "config.mk after bad usage" no "$([ -e config.mk ] && echo yes || echo no)"

# Elsewhere than in the sources, by a relative path, with a blank for =.
mkdir inside
ln -s "$SRC" tree
(cd inside && sh ../tree/configure --prefix '/opt/a b' --enable-prof \
    --enable-debug --enable-magic --with-luck=much CC="$CC" >../out 2>../err)
expect "out of the tree" 0 $?
expect "files" "Makefile config.h config.log config.mk" "$(cd inside && echo *)"
expect "--enable-prof" silent "$(says '--enable-prof' err)"
expect "--enable-magic" said "$(says '--enable-magic' err)"
expect "--with-luck" said "$(says '--with-luck' err)"
expect "prefix" "libdir = /opt/a b/lib" "$(grep ^libdir inside/config.mk)"
expect "libdir in config.h" said "$(says '"/opt/a b/lib"' inside/config.h)"
expect "--enable-debug" said "$(says -DCHECK=1 inside/config.mk)"
lines=$(grep -c '\.\.\. ' out)
[ "$lines" -gt 30 ]
expect "a line a question (there are $lines)" 0 $?

# The same again leaves config.h as old as it was: nothing is built anew.
touch -d '2001-01-01' inside/config.h
(cd inside && eval "$(sed -n 's/^CONFIGURE = //p' config.mk)" >../out 2>../err)
expect "the recorded command" 0 $?
expect "config.h kept" 2001 "$(date -r inside/config.h +%Y)"

# A compiler without libraries: every missing package, in one go.
mkdir bin none
for tool in sh sed awk cat mktemp rm mkdir tr uname date touch cmp mv dirname; do
	ln -s "$(command -v $tool)" bin/$tool
done
cat >bin/fakecc <<'END'
#!/bin/sh
# Knows C and no library.
for word in "$@"; do
	case $word in
	-E) echo 'machine x86_64'; exit ;;
	*.c) ! grep -qE 'libelf|libdwfl|zlib|demangle|curses|cmocka|libunwind' "$word" || exit 1 ;;
	esac
done
END
chmod +x bin/fakecc
ln -s "$(command -v grep)" bin/grep
(cd none && PATH=$PWD/../bin sh "$SRC/configure" CC=fakecc >../out 2>../err)
expect "with packages missing" 1 $?
for package in make pkg-config libdw-dev libelf-dev zlib1g-dev libiberty-dev \
    libncurses-dev elfutils-devel binutils-devel libcmocka-dev \
    libunwind-dev sqlite3 gcc-aarch64-linux-gnu ShellCheck; do
	expect "$package" said "$(says "$package" err)"
done
expect "gcc, which is there" silent "$(says ' gcc ' err)"

# No apt: --install-deps tells both kinds of names and stops.
(cd none && PATH=$PWD/../bin sh "$SRC/configure" --install-deps CC=fakecc \
    >../out 2>../err)
expect "--install-deps without apt" 1 $?
expect "names for rpm" said "$(says 'rpm.*elfutils-devel' err)"
expect "names for Debian" said "$(says 'Debian.*libdw-dev' err)"

exit $failed
