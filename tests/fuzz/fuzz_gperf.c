/* The reader of gperftools' heap profiles and hostile bytes. */
#include "fuzz_reader.h"
#include "io/gperffile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_reader(gperffile_read, data, size);
}
