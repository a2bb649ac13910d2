#!/bin/sh
# What also runs on aarch64 compiles for it.
command -v aarch64-linux-gnu-gcc >/dev/null || {
	echo "aarch64-linux-gnu-gcc is not here"
	exit 77
}
exec "$MAKE" -C "$BUILD" --no-print-directory aarch64
