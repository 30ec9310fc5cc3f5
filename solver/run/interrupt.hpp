// Ctrl-C and SIGTERM: asked once the run stops at its next check, asked again after two seconds the program
// ends at once.
#pragma once

namespace perdure {

/// Installs the handlers for as long as it lives.
class InterruptGuard {
  public:
    InterruptGuard();
    InterruptGuard(const InterruptGuard &) = delete;
    InterruptGuard &operator=(const InterruptGuard &) = delete;
    ~InterruptGuard();
};

/// Whether a stop has been asked for.
bool interrupted();

}  // namespace perdure
