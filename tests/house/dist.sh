#!/bin/sh
# The tarball of make dist configures and builds on its own.
set -u
[ -e "$SRC/.git" ] || { echo "not a git checkout"; exit 77; }
git -c safe.directory="*" -C "$SRC" rev-parse -q --verify HEAD >/dev/null 2>&1 ||
    { echo "nothing is committed yet"; exit 77; }

set -e
mkdir build
cd build
sh "$SRC/configure" CC="$CC" >/dev/null
"$MAKE" --no-print-directory dist >/dev/null
tar xf heaptop-*.tar.gz
cd heaptop-*/
./configure CFLAGS=-O0 CC="$CC" >/dev/null
"$MAKE" --no-print-directory -j2 >/dev/null
./heaptop --version
