// Ctrl-C and SIGTERM: asked once the run stops at its next check, asked again after two seconds the program
// ends at once. Where no run is under way the first one ends it. Either way the exit code is that of a stop.
#pragma once

namespace perdure {

/// Installs the handlers. Call first in main(): a signal before ends the program as the system does.
void handle_interrupts();

/// While it lives the first signal asks for a stop, which what it guards must look for by interrupted().
class InterruptGuard {
  public:
    /// `says`: that the run stops, in the signal handler.
    explicit InterruptGuard(bool says = true);
    InterruptGuard(const InterruptGuard &) = delete;
    InterruptGuard &operator=(const InterruptGuard &) = delete;
    ~InterruptGuard();
};

/// Asks for a stop as a first signal does while something is guarded; from any thread.
void ask_to_stop() noexcept;

/// Takes that back, for the next run of the same process.
void forget_stop() noexcept;

/// Whether a stop has been asked for.
bool interrupted();

}  // namespace perdure
