# Lines of guides, see tests/tutorial.sh.
V=1 exec sh "$SRC/tests/tutorial.sh" "$BUILD" g2
