#include "pick.h"

#include "output.h"

int
pick_process(pid_t *pid, int *status)
{
	*pid = 0;
	say("-p wants a value: a process id or a program's name");
	*status = 2;
	return -1;
}
