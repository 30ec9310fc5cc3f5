#pragma once

namespace perdure::hdf5 {

/// Whether main() has let probe_main() look at the command line, or probe_by() named a helper: only then may a program be started as the
/// helper.
bool probe_main_was_called();

}  // namespace perdure::hdf5
