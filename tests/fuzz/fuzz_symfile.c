/* The reader of symbolized profiles and hostile bytes. */
#include "fuzz_reader.h"
#include "io/symfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_reader(symfile_read, data, size);
}
