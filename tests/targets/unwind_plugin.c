/*
 * A plugin for unwind_garbage and unwind_reuse; built twice with another
 * ROOM, so that both have the same layout and other frame sizes.
 */
#include <stddef.h>

#ifndef ROOM
#	define ROOM 64
#endif

void plugin_call(void (*fn)(void));

void
plugin_call(void (*fn)(void))
{
	volatile char room[ROOM];

	room[0] = 1;
	fn();
	room[1] = room[0];
}
