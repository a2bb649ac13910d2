/* The reader of saved --text reports and hostile bytes. */
#include "fuzz_reader.h"
#include "io/textfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_reader(textfile_read, data, size);
}
