#!/bin/sh
# make install puts everything where it was asked to, uninstall leaves
# nothing, and the installed program finds its library.
set -u
failed=0

check() {
	"$@" >out 2>&1 && return
	echo "failed: $*"
	cat out
	failed=1
}

stage=$PWD/stage
make_here() {
	"$MAKE" -C "$BUILD" --no-print-directory "$@" prefix=/opt/ht \
	    bindir=/opt/ht/bin libdir=/opt/ht/lib mandir=/opt/ht/man DESTDIR="$stage"
}

check make_here install
for f in bin/heaptop lib/libheaptop.so lib/libheaptop.a man/man1/heaptop.1 \
    man/man5/heaptop-config.5 man/man5/heaptop-dump.5 man/man5/heaptop-stream.5 man/man7/heaptop-jeprof.7 \
    lib/heaptop/compat/bin/jeprof; do
	check test -s "$stage/opt/ht/$f"
done
check test -L "$stage/opt/ht/lib/libheaptop.so"

# The name the library gives itself is the file a link of it will want.
soname=$(readelf -d "$stage/opt/ht/lib/libheaptop.so" |
    sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
check test -f "$stage/opt/ht/lib/$soname"

version=$("$stage/opt/ht/bin/heaptop" --version)
case $version in
"heaptop "[0-9]*) ;;
*)
	echo "heaptop --version says «$version»"
	failed=1
	;;
esac

# The other command runs it, in whatever directory all of it lies and by
# whatever name it is called.
compat=$stage/opt/ht/lib/heaptop/compat/bin
ln -s "$compat/jeprof" link
for command in "$compat/jeprof" ./link; do
	said=$(PATH=/usr/bin:/bin "$command" --version)
	[ "$said" = "$version" ] || {
		echo "$command --version says «$said»"
		failed=1
	}
done

check make_here uninstall
left=$(find "$stage" ! -type d)
[ -z "$left" ] || {
	echo "left after uninstall: $left"
	failed=1
}
exit $failed
