/* The reader of profile.proto and hostile bytes. */
#include "fuzz_reader.h"
#include "io/pproffile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_reader(pproffile_read, data, size);
}
