// PROGRAM MUTANT SECONDS: tries a mutant, and gives up after so many seconds.
#include <csignal>
#include <cstdlib>

#include "tests/sync/mutants/mutant_program.hpp"

thread_local group_context_t perdure_group = {0, 1};
thread_local uint32_t perdure_device_count = 1;

int main(int argc, char **argv) {
    using namespace perdure::tests;
    const Mutant *mutant = mutants;
    while (argc == 3 && mutant->name != nullptr && strcmp(mutant->name, argv[1]) != 0) {
        ++mutant;
    }
    expect(argc == 3 && mutant->name != nullptr, "error: arguments: MUTANT SECONDS\n");
    (void)signal(SIGALRM, [](int) { end("watchdog: the program hangs\n"); });
    const auto seconds = static_cast<unsigned>(strtoul(argv[2], nullptr, 10));
    alarm(seconds);
    // Waits end before the watchdog ends the program.
    mutant->try_all(seconds * std::uint64_t{1'000'000'000} / 5);
    (void)puts("right");
}
