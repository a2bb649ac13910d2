#include "strict.h"

#include <string.h>

struct strict strict = { .most = SIZE_MAX };

void
strict_fill(void *p, uint8_t byte, size_t n)
{
	memset(p, byte, n);
}
