#!/bin/sh
# The screen: how soon it comes, how fast it answers, what it costs.
#
#	HEAPTOP=.../heaptop SRC=... sh screen.sh
set -eu
: "${HEAPTOP:?}" "${SRC:?}"
unset LD_PRELOAD MALLOC_CONF HEAPTOP_CONF HEAPTOP_DEFAULTS HEAPTOP_SOCKET
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -g -o "$dir/stacks" \
    "$SRC/tests/bench/stacks.c"

# A program with some 50 MB of debug information: many sources that each use
# much of the standard library, and one that allocates in all of them.
i=0
while [ "$i" -lt "${UNITS:-16}" ]; do
	cat >"$dir/unit$i.cc" <<END
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <unordered_map>
#include <vector>
namespace unit$i {
struct item { std::string name; std::map<int, std::vector<std::string>> all; };
static std::vector<std::shared_ptr<item>> kept;
void work(int n) {
	std::regex word("[a-z]+$i");
	for (int k = 0; k < n; k++) {
		auto it = std::make_shared<item>();
		it->name = std::string(500, 'a' + k % 26);
		it->all[k].push_back(std::string(3000, 'x'));
		if (!std::regex_search(it->name, word))
			kept.push_back(it);
	}
	std::sort(kept.begin(), kept.end());
}
}
END
	i=$((i + 1))
done
{
	i=0
	while [ "$i" -lt "${UNITS:-16}" ]; do
		echo "namespace unit$i { void work(int n); }"
		i=$((i + 1))
	done
	echo '#include <unistd.h>'
	echo 'int main() { for (;;) {'
	i=0
	while [ "$i" -lt "${UNITS:-16}" ]; do
		echo "unit$i::work(20);"
		i=$((i + 1))
	done
	echo 'usleep(100000); } }'
} >"$dir/main.cc"
for f in "$dir"/*.cc; do
	echo "$f"
done | xargs -P 2 -I{} "${CXX:-c++}" -O0 -g -c -o {}.o {}
"${CXX:-c++}" -o "$dir/big" "$dir"/*.o
rm -f "$dir"/*.o "$dir"/*.cc
echo "debug information: $(du -m "$dir/big" | cut -f1) MB"
python3 -B "$SRC/tests/bench/screen.py" "$HEAPTOP" "$dir/stacks" "$dir/big"
