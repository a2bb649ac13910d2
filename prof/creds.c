#include "creds.h"

#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>

#include "control.h"
#include "init.h"
#include "lock.h"
#include "os.h"

/* One change at a time. */
static struct lock one_at_a_time;

/* The calling thread's capabilities, as control_creds.caps holds them. */
static bool
caps_get(struct __user_cap_data_struct data[2])
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
		0 };

	return os_syscall(SYS_capget, &head, data) == 0;
}

void
creds_follow(void)
{
	struct control_creds *c = &control_creds;
	struct __user_cap_data_struct caps[2];

	init_check_fork();
	if (!control_lives() || control_vforked())
		return;
	lock_acquire(&one_at_a_time);
	os_syscall(SYS_getresuid, &c->uid[0], &c->uid[1], &c->uid[2]);
	os_syscall(SYS_getresgid, &c->gid[0], &c->gid[1], &c->gid[2]);
	c->groups = (int)os_syscall(SYS_getgroups, CONTROL_GROUPS, c->group);
	if (caps_get(caps))
		memcpy(c->caps, caps, sizeof c->caps);
	control_request(ASK_CREDS);
	lock_release(&one_at_a_time);
}

/* Groups first, users last: who has given up the user may not change the
 * groups any more.  Capabilities are taken down to what the program has. */
void
creds_take(void)
{
	const struct control_creds *c = &control_creds;
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
		0 };
	struct __user_cap_data_struct caps[2], want[2];

	if (c->groups >= 0)
		os_syscall(SYS_setgroups, c->groups, c->group);
	os_syscall(SYS_setresgid, c->gid[0], c->gid[1], c->gid[2]);
	os_syscall(SYS_setresuid, c->uid[0], c->uid[1], c->uid[2]);
	if (!caps_get(caps))
		return;
	memcpy(want, c->caps, sizeof want);
	for (int i = 0; i < 2; i++) {
		want[i].permitted &= caps[i].permitted;
		want[i].effective &= want[i].permitted;
		want[i].inheritable &= caps[i].inheritable;
	}
	os_syscall(SYS_capset, &head, want);
}

void
creds_forked(void)
{
	lock_reset(&one_at_a_time);
}
