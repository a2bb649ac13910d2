/*
 * Sixty-four threads of C++ that allocate, pass on and free, with exceptions
 * on the way; what it prints depends on its arguments alone.
 *
 *	crowd [THREADS]
 */
/* libs: -lpthread */
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex shared_lock;
static std::map<int, std::unique_ptr<std::string>> shared;

static std::map<std::string, int>
count_words(int seed)
{
	std::map<std::string, int> words;

	for (int i = 0; i < 2000; i++)
		words["word " + std::to_string((i * seed) % 199)] += i;
	return words;
}

static int
fail_sometimes(int n)
{
	std::vector<int> v(100, n);

	if (n % 3 == 0)
		throw std::runtime_error(std::string(200, 'x'));
	return v.at(n % 100);
}

static long
work(int id)
{
	long sum = 0;

	for (int round = 0; round < 5; round++) {
		for (const auto &w : count_words(id + round))
			sum += w.second;
		try {
			sum += fail_sometimes(id + round);
		} catch (const std::exception &e) {
			sum += (long)std::string(e.what()).size();
		}
		std::lock_guard<std::mutex> hold(shared_lock);
		shared[(id * 7 + round) % 50] =
		    std::make_unique<std::string>(300, 'a' + id % 26);
	}
	return sum;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 64;
	std::vector<long> results(n);
	std::vector<std::thread> threads;

	for (int i = 0; i < n; i++)
		threads.emplace_back([i, &results] { results[i] = work(i); });
	for (auto &t : threads)
		t.join();
	printf("%ld %zu\n",
	    std::accumulate(results.begin(), results.end(), 0L), shared.size());
	/* what is shared stays alive to the end */
	fflush(stdout);
	_Exit(0);
}
