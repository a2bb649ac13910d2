#!/bin/sh
#
# Who may include whom, and no state where none should be:
#
#     base <- model <- { io, export, ui } <- session
#
# Reads the #include lines of the sources in SRC and, if BUILD has been
# built, the symbols of its objects.  Prints a line for each breach.
#
# Run by `make check' and `make lint'.

SRC=${SRC:-.}
BUILD=${BUILD:-.}
BUILD=$(cd "$BUILD" && pwd) || exit 1
cd "$SRC" || exit 1
# The layer of a file, and what its quoted includes may begin with.
layer_of() {
	case $1 in
	src/base/*) echo base ;;
	src/model/*) echo model ;;
	src/io/*) echo io ;;
	src/export/*) echo export ;;
	ui/*) echo ui ;;
	prof/*) echo prof ;;
	src/main.c | src/session.* | src/screen*) echo session ;;
	src/*) echo program ;;
	esac
}

may_include() { # LAYER HEADER
	case $1:$2 in
	session:config.h | program:config.h | io:config.h | ui:config.h) ;;
	prof:config.h) ;;
	base:base/*) ;;
	model:base/* | model:model/*) ;;
	io:base/* | io:model/* | io:io/*) ;;
	io:prof/format.h | io:prof/table.h | io:prof/encode.h) ;;
	export:base/* | export:model/* | export:export/*) ;;
	export:prof/heapv2.h | export:config.h) ;;
	ui:base/* | ui:model/* | ui:ui/*) ;;
	session:ui/*) ;;
	session:prof/* | program:prof/*) return 1 ;;
	session:* | program:base/* | program:model/*) ;;
	program:io/* | program:export/*) ;;
	program:*/*) return 1 ;;
	program:*) ;;
	prof:*/*) return 1 ;;
	prof:*) ;;
	*) return 1 ;;
	esac
}

# Libraries beside libc: each in the one file that exists for it.
may_use() { # FILE HEADER
	case $2 in
	*curses.h | term.h) [ "$1" = ui/term.c ] ;;
	elfutils/* | dwarf.h | libelf.h | gelf.h)
		case $1 in
		src/io/symbolize_*.[ch]) ;;
		*) return 1 ;;
		esac
		;;
	zlib.h) [ "$1" = src/io/recordfile.c ] || [ "$1" = src/io/infile.c ] ;;
	demangle.h | libiberty/*) [ "$1" = src/io/demangle.c ] ;;
	libunwind*.h) [ "$1" = prof/unwind_check.c ] ;;
	esac
}

check_includes() {
	layer=$(layer_of "$1")
	while IFS=: read -r line kind header; do
		case $kind in
		'"') may_include "$layer" "$header" ;;
		*) may_use "$1" "$header" ;;
		esac || echo "$1:$line: $layer may not include $header"
	done
}

includes_of() {
	sed -n '/^[ 	]*#[ 	]*include/{
=
s/^[ 	]*#[ 	]*include[ 	]*\([<"]\)\([^>"]*\).*/\1:\2/p
}' "$1" | sed 'N;s/\n/:/'
}

# Writable globals: heaptop's state has owners.  Allowed, with the reason:
#   mem.o on_death   mem_on_death: the terminal is put right before dying
#   output.o listener  while a screen is up sentences go there
#   crash.o guard      a handler of faults has nowhere else to look
#   domain.o wanted    which objects are read, chosen by the command line
allowed='mem.o:on_death output.o:listener crash.o:guard domain.o:wanted'

# Data in sections that stay writable; .data.rel.ro is constant, it only
# holds addresses.
check_globals() { # OBJECT
	objdump -t "$1" | awk -F '\t' '
		$1 ~ / O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ &&
		$1 !~ / \.data\.rel\.ro/ { sub(/^[^ ]* +/, "", $2); print $2 }' |
	    while read -r symbol; do
		case " $allowed " in
		*" ${1##*/}:${symbol%.[0-9]*} "*) ;;
		*) echo "${1#"$BUILD/o/ht/"}: writable global $symbol" ;;
		esac
	done
}

check_all() {
	for file in src/*.[ch] src/*/*.[ch] ui/*.[ch] prof/*.[ch]; do
		[ -f "$file" ] || continue
		includes_of "$file" | check_includes "$file"
		# A file is one idea.
		lines=$(wc -l <"$file")
		[ "$lines" -le 700 ] || echo "$file: $lines lines, over 700"
		object=$BUILD/o/ht/${file%.c}.o
		case $file in
		prof/*.c) ;;
		*.c) [ ! -f "$object" ] || check_globals "$object" ;;
		esac
	done
	# Words that say something is unfinished.
	grep -nwE 'TO''DO|FIX''ME|XX''X|HA''CK' -r configure Makefile.in .ci \
	    src ui prof assets tests --include='*.[ch]' --include='*.cc' \
	    --include='*.sh' --include=configure --include=Makefile.in \
	    --include=run 2>/dev/null
}

breaches=$(check_all)
[ -z "$breaches" ] || {
	echo "$breaches"
	exit 1
}
