// Solves over a labelled image: their operator is made on the device, from what percolation left there.
#pragma once

#include <map>
#include <string>

#include "solver/run/discretise.hpp"
#include "solver/run/percolation.hpp"

namespace perdure {

/// What lies on the device from one direction of an image to the next.
struct ImageOnDevice {
    SharedMemory material, faces;
    std::map<std::string, SharedMemory> fields;  // of the solve before, by name and bytes
};

/// What the host knows of the operator and b: Discretisation::on_device. Throws Failure(bad_input) when values leave the
/// range of Real.
template <typename Real>
Discretisation<Real> discretise_image(const Problem &problem, const ActiveCells &cells);

/// Buffers of the call become those of the solve before.
void take_fields(const ImageOnDevice &image, KernelCall &call);
/// And those of this one are kept for the next.
void keep_fields(const KernelCall &call, DeviceRun &run, ImageOnDevice &image);

/// Time and launches of a kernel that ran before a solve.
struct Preparation {
    double seconds = 0.0;
    std::int64_t launches = 0;
};

/// Fills the operator's fields and b of `run` (kernels/image_operator.h), whose parameters these are. `table`: diagonal of
/// discretise_image. Throws Failure(device).
template <typename Real>
Preparation make_operator(const ImageOnDevice &image, const Config &config, const Problem &problem,
                          const std::vector<Real> &table, const run_parameters_t &parameters,
                          const LaunchPlan &plan_of_run, DeviceRun &run, Device &device);

extern template Discretisation<float> discretise_image(const Problem &, const ActiveCells &);
extern template Discretisation<double> discretise_image(const Problem &, const ActiveCells &);
extern template Preparation make_operator(const ImageOnDevice &, const Config &, const Problem &,
                                          const std::vector<float> &, const run_parameters_t &,
                                          const LaunchPlan &, DeviceRun &, Device &);
extern template Preparation make_operator(const ImageOnDevice &, const Config &, const Problem &,
                                          const std::vector<double> &, const run_parameters_t &,
                                          const LaunchPlan &, DeviceRun &, Device &);

}  // namespace perdure
