# Building and linking: T01 to T08.
# shellcheck shell=sh disable=SC2154 # tests/tutorial.sh reads this

# T01's `make install', of what is built already.
begin_build() {
	P=$W/P
	[ -d "$P" ] || "$MAKE" -C "$BUILD" --no-print-directory install \
	    prefix="$P" bindir="$P/bin" libdir="$P/lib" mandir="$P/man" \
	    includedir="$P/include" || fail 'make install'
	PKG_CONFIG_PATH=$P/lib/pkgconfig
	export PKG_CONFIG_PATH
	cp "$SRC/tests/targets/leak_example.c" .
}

T01() {
	P=$W/T01/P
	mkdir -p T01 && cd T01 || exit 1
	# `./configure' there writes into the sources
	"$SRC/configure" --enable-prof --enable-debug --prefix="$P" &&
	    "$MAKE" -j4 && "$MAKE" install || fail 'it is not 0'
	"$P/bin/heaptop" --version | grep -q -E '^heaptop [0-9]' || fail version
}

T02() {
	"$P/bin/heaptop" --version >out || fail 'it is not 0'
	grep -q -E '^heaptop [0-9]' out || fail "$(cat out)"
}

T03() {
	P2=$W/T03/P2
	mkdir -p T03 && cd T03 || exit 1
	"$MAKE" -C "$BUILD" dist && mv "$BUILD"/heaptop-*.tar.gz . || fail dist
	tar xf heaptop-*.tar.gz || fail tar
	cd heaptop-*/ || fail 'no directory of its name'
	./configure --prefix="$P2" && "$MAKE" -j"$(nproc)" && "$MAKE" install ||
	    fail 'it is not 0'
	"$P2/bin/heaptop" -b -n1 -- true || fail 'it does not run'
}

T04() {
	ls "$P/lib" >out || fail 'it is not 0'
	has_line out 'libheaptop\.so' 'libheaptop\.so\.[0-9]+' 'libheaptop\.a'
}

T05() {
	gcc -g -o leak_example leak_example.c -I"$P/include" -L"$P/lib" \
	    -lheaptop -Wl,-rpath,"$P/lib" || fail 'it is not 0'
	ldd leak_example >out || fail ldd
	has_line out '.*libheaptop\.so.* => .*/P/lib/libheaptop\.so.*'
}

T06() {
	# shellcheck disable=SC2046 # options
	gcc -g -o leak_static leak_example.c "$P/lib/libheaptop.a" \
	    $(pkg-config --static --libs heaptop) || fail 'it is not 0'
	ldd leak_static >out || fail ldd
	lacks out libheaptop
	MALLOC_CONF="prof:true,lg_prof_sample:10,prof_prefix:$W/static" \
	    ./leak_static >out || fail 'its status'
	has 'static.*.f.heap' 1 || fail 'no dump'
	"$P/bin/heaptop" --text ./leak_static static.*.f.heap >out || fail text
	has_line out "$(row '[0-9.]+' constant_leak)"
}

T08() {
	gcc -g -o leak_example leak_example.c || fail gcc
	objdump -h leak_example | grep debug || fail 'no debug sections'
	heaptop check ./leak_example >out || fail 'it is not 0'
	has_line out 'debug lines: yes'
}
