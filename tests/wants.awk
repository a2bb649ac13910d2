# Turns what tests say they want into lines for make.  In the first lines of
# a unit test (tests/unit/test_*.c) or a target (tests/targets/*):
#
#   /* needs: src/base/err.c src/base/buf.c */   sources, from the top
#   /* needs: src/model/ */                      all of a directory
#   /* needs: ui/-term.c */                      all of it but that file
#   /* libs: -lz -ldw */                         libraries
#   /* flags: -O0 -pthread */                    flags of the compiler
#
# Each may be longer than a line.

# What make builds of a test.
function goal(file) {
	sub(/\.[a-z]+$/, "", file)
	sub(/^.*tests\/unit\//, "o/unit/", file)
	sub(/^.*tests\/targets\//, "o/targets/", file)
	return file
}

FNR == 1 { kind = "" }

match($0, /^\/\* (needs|libs|flags): /) {
	kind = substr($0, 4, RLENGTH - 5)
	$0 = substr($0, RLENGTH + 1)
}

kind != "" {
	last = sub(/\*\/.*/, "")
	for (i = 1; i <= NF; i++) {
		if ($i == "*")
			continue
		but = ""
		if (kind == "needs" && match($i, /\/-/)) {
			but = substr($i, 1, RSTART) substr($i, RSTART + 2)
			$i = substr($i, 1, RSTART)
		}
		if (kind == "needs" && sub(/\/$/, "/*.c", $i)) {
			print goal(FILENAME) ": $(patsubst %.c,o/san/%.o," \
			    "$(filter-out " but ",$(call in," $i ")))"
		} else if (kind == "needs") {
			sub(/\.c$/, ".o", $i)
			print goal(FILENAME) ": o/san/" $i
		} else
			print goal(FILENAME) ": " \
			    (kind == "libs" ? "LIBS_WANTED" : "FLAGS") \
			    " += " $i
	}
	if (last)
		kind = ""
}
