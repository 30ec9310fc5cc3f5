/* What libhdf5.a reads for the standard streams: the copy that is linked into a shared object cannot read those of the C library. */
#include <stdio.h>

extern FILE *perdure_hdf5_stdin, *perdure_hdf5_stdout, *perdure_hdf5_stderr;
FILE *perdure_hdf5_stdin, *perdure_hdf5_stdout, *perdure_hdf5_stderr;

__attribute__((constructor)) static void set_streams(void) {
    perdure_hdf5_stdin = stdin;
    perdure_hdf5_stdout = stdout;
    perdure_hdf5_stderr = stderr;
}
