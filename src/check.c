#include "check.h"

#include "output.h"
#include "options.h"

int
check_run(const struct options *o)
{
	(void)o;
	say("not built yet");
	return 1;
}
