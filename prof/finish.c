#include "finish.h"

#include "control.h"
#include "dump.h"
#include "facts.h"
#include "helper.h"
#include "tablewrite.h"
#include "trigger.h"
#include "unwind.h"

bool
finish(void)
{
	bool leaked;

	if (table_head()) {
		control_wait_handed();
		facts_totals();
	}
	if (control_is_silent())
		return false;
	trigger_finish();
	leaked = dump_finish();
	helper_remove_socket();
	unwind_check_report();
	return leaked;
}
