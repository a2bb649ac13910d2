/*
 * What the options ask for, and the ends they put to a program.
 */
#include <stdlib.h>

#include "cache.h"
#include "conf.h"
#include "say.h"
#include "strict.h"
#include "thread.h"

void
strict_start(void)
{
	struct thread *t = thread_self();

	strict.fill_new = conf.zero || conf.junk & CONF_JUNK_ALLOC;
	strict.new_byte = conf.zero ? 0 : STRICT_JUNK_NEW;
	strict.fill_freed = (conf.junk & CONF_JUNK_FREE) != 0;
	strict.misuse = conf.abort;
	strict.memory = conf.xmalloc;
	strict.most = conf.tcache ? conf.tcache_max : 0;
	strict.uncached = !conf.tcache || strict.fill_new ||
	    strict.fill_freed || strict.misuse;
	if ((strict.uncached || strict.most < SIZE_MAX) && t)
		cache_drain(&t->cache);
}

void
strict_no_memory(const char *who)
{
	if (!strict.memory)
		return;
	say(who, ": there is no memory, and xmalloc:true ends the program",
	    NULL);
	abort();
}

bool
strict_realloc_zero(void)
{
	if (conf.zero_realloc == CONF_ZERO_ABORT) {
		say("realloc to 0 bytes, and zero_realloc:abort ends the "
		    "program",
		    NULL);
		abort();
	}
	return conf.zero_realloc == CONF_ZERO_ALLOC;
}
