// Builds a program on a device from kernel text or from cached code.
#pragma once

#include <string>

#include "solver/backends/opencl/opencl.hpp"
#include "solver/backends/opencl/opencl_program.hpp"
#include "solver/backends/opencl/opencl_traits.hpp"

namespace perdure::opencl {

/// Registers that an item has at most on NVIDIA devices: in solvers, and in experiments, whose groups go up
/// to 1024 items.
inline constexpr int nvidia_registers = 128;
inline constexpr int nvidia_experiment_registers = 64;

/// Options of the device's compiler: language, dialect macros, correctly rounded float32 division and square
/// root where the device has them. Never fast mathematics. Throws cl::Error.
std::string build_options(const cl::Device &device, Language language, int registers = nvidia_registers);

/// Added to them in programs for launches of groups of one item, PoCL's default: see sync/dialect_opencl.h.
inline constexpr const char *one_item_option = " -DPERDURE_ONE_ITEM";

/// What compiled code depends on, apart from text and options: platform, device and driver with their versions. Throws cl::Error.
std::string compiler_of(const cl::Device &device);

/// Compiles the program's text for the device. Throws Failure(device) with the compiler's messages.
cl::Program build_program(const cl::Context &context, const cl::Device &device, const OpenclProgram &program);

/// Code of a program that was built before. Throws cl::Error.
std::string code_of(const cl::Program &built);

/// The program from its code; a null one where the driver refuses it.
cl::Program load_program(const cl::Context &context, const cl::Device &device, const OpenclProgram &program,
                         const std::string &code);

}  // namespace perdure::opencl
