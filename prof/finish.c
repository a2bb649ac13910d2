#include "finish.h"

#include "conf.h"
#include "control.h"
#include "dumpfile.h"
#include "facts.h"
#include "helper.h"
#include "tablewrite.h"
#include "unwind.h"

void
finish(void)
{
	if (table_head()) {
		control_wait_handed();
		facts_totals();
	}
	if (control_is_silent())
		return;
	if (conf.prof_final && conf.prefix[0] && conf.prof_active)
		dumpfile_final();
	helper_remove_socket();
	unwind_check_report();
}
