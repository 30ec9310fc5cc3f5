// The program that looks into HDF5 files for the Python package: a broken file may crash it, and not the interpreter.
#include <cstdio>

#include "solver/failure.hpp"
#include "solver/hdf5/probe.hpp"

int main(int argc, char **argv) {
    if (const std::optional<int> probed = perdure::probe_main(argc, argv)) {
        return *probed;
    }
    (void)std::fputs("The Python package perdure calls this program; do not run it yourself.\n", stderr);
    return static_cast<int>(perdure::ExitCode::case_or_usage);
}
