// The program's version and what it was built with.
#pragma once

#include <string>

namespace perdure {

/// "0.1.0"
std::string version();

/// "CUDA yes, OpenCL yes": the back ends in this program.
std::string built_with();

/// The source tree that this program was built from, which need not be there.
std::string source_folder();

/// A hash of the program or library that this is linked into, in hexadecimal digits: another one where anything was built anew with other text. Empty where the
/// linker left none.
std::string build_id();

}  // namespace perdure
