# T62: `jeprof' typed for `heaptop', with the wrapper in front of PATH.
# shellcheck shell=sh disable=SC2154,SC2034 # tests/tutorial.sh reads this

begin_jeprof() {
	P=$W/P
	[ -d "$P" ] || "$MAKE" -C "$BUILD" --no-print-directory install \
	    prefix="$P" bindir="$P/bin" libdir="$P/lib" mandir="$P/man" \
	    includedir="$P/include" || fail 'make install'
}

T62() {
	jeprof_bin=$P/lib/heaptop/compat/bin
	[ -x "$jeprof_bin/jeprof" ] || fail 'no wrapper is installed'
	PATH=$jeprof_bin:$PATH
	export PATH
	typed=jeprof
	for name in T10 T14 T15 T16 T17 T18 T19 T20 T21 T22 T33 T34 T35 T36 T38 \
	    T48 T50 T57; do
		(line "$name") || {
			got=$?
			[ $got != 77 ] || exit 77
			fail "$name: $(head -n 1 "$top/why")"
		}
	done
}
