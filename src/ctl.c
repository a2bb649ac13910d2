#include "ctl.h"

#include "output.h"
#include "options.h"

int
ctl_run(const struct options *o)
{
	(void)o;
	say("not built yet");
	return 1;
}
