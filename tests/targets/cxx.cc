/*
 * Names as C++ has them.  What stays:
 *
 *	8 MiB   MyNamespace::Cache::insert, called by main
 *	4 MiB   a std::vector of my_parse, called by main
 *	2 MiB   plain, called by main
 *	1 MiB   start_up, called before main
 */
#include <cstdio>
#include <vector>

#define NOINLINE __attribute__((noinline))

static const std::size_t MIB = 1024 * 1024;
static char *volatile kept;

namespace MyNamespace
{
class Cache
{
      public:
	NOINLINE void
	insert(int mib)
	{
		for (; mib > 0; mib--)
			kept = new char[MIB];
	}
};
} // namespace MyNamespace

NOINLINE static void
my_parse()
{
	auto *v = new std::vector<char>(4 * MIB);

	kept = v->data();
}

NOINLINE static void
plain()
{
	for (int i = 0; i < 2; i++)
		kept = new char[MIB];
}

NOINLINE static bool
start_up()
{
	kept = new char[MIB];
	return kept != nullptr;
}

static const bool started = start_up();

int
main()
{
	MyNamespace::Cache cache;

	cache.insert(8);
	my_parse();
	plain();
	return started ? 0 : 1;
}
