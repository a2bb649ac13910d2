# Java, where there is one: the same output with heaptop as without.
command -v java >/dev/null || { echo 'there is no java'; exit 77; }
java -version >out.alone 2>err.alone || exit 1
"$HEAPTOP" -b -n 1 -o snapshot -- java -version >out.with 2>err.all || exit 1
grep -v '^heaptop: ' err.all >err.with
cmp out.alone out.with && cmp err.alone err.with || exit 1
grep -q 'AllocateHeap\|os::malloc\|libjvm' snapshot || { cat snapshot; exit 1; }
