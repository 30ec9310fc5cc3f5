// Solves over a label image: the operator is computed on the device from the result of percolation.
#pragma once

#include <span>
#include <string>

#include "kernels/image_question.h"
#include "solver/output/effective_properties.hpp"
#include "solver/run/discretise.hpp"
#include "solver/run/kept_buffers.hpp"
#include "solver/run/percolation.hpp"

namespace perdure {

/// What lies on the device from one direction of an image to the next.
struct ImageOnDevice {
    SharedMemory material, faces;
    KeptBuffers fields;  // of the solve before
};

/// What the host knows of the operator and b: Discretisation::on_device. Throws Failure(bad_input) when values leave the
/// range of Real.
template <typename Real>
Discretisation<Real> discretise_image(const Grid &grid, const Field &field, const ActiveCells &cells,
                                      bool by_labels);

/// Time and launches of kernels that ran beside a solve.
struct BesideRun {
    double seconds = 0.0;
    std::int64_t launches = 0;
};

/// A solve over an image, for the kernels that run beside it.
template <typename Real>
class ImageSolve {
  public:
    /// `table`: diagonal of discretise_image. What is given must stay.
    ImageSolve(const ImageOnDevice &image, const Config &config, const Grid &grid, const Field &field,
               const ActiveCells &cells, Device &device, const LaunchPlan &plan,
               const run_parameters_t &parameters, const LargeVector<Real> &table)
        : image_(image),
          config_(config),
          grid_(grid),
          field_(field),
          cells_(cells),
          device_(device),
          plan_(plan),
          parameters_(parameters),
          table_(table) {}

    /// Fills the operator's fields and b of `run`, which `call` names (kernels/image_operator.h, kernels/image_labels.h). Throws
    /// Failure(device).
    void make_operator(const KernelCall &call, DeviceRun &run);
    /// Of u in buffer `answer`, without reading all of it (kernels/plane_flow.h). Throws Failure(device).
    EffectiveProperties through_flow(const KernelCall &call, DeviceRun &run, std::size_t answer);
    [[nodiscard]] const BesideRun &beside() const { return beside_; }

  private:
    void make_arrays(const KernelCall &call, DeviceRun &run);
    [[nodiscard]] image_question_t question(const KernelCall &call) const;
    /// A launch of the kernel with these fields; what is not given are fields of `run`, whose arguments `call` names.
    struct Launched {
        KernelCall call;
        std::unique_ptr<DeviceRun> run;
    };
    Launched launch(const char *kernel, std::span<const KernelField> fields, std::vector<KernelBuffer> given,
                    const KernelCall &call, DeviceRun &run);

    const ImageOnDevice &image_;
    const Config &config_;
    const Grid &grid_;
    const Field &field_;
    const ActiveCells &cells_;
    Device &device_;
    const LaunchPlan &plan_;
    const run_parameters_t &parameters_;
    const LargeVector<Real> &table_;
    BesideRun beside_;
};

extern template Discretisation<float> discretise_image(const Grid &, const Field &, const ActiveCells &,
                                                       bool);
extern template Discretisation<double> discretise_image(const Grid &, const Field &, const ActiveCells &,
                                                        bool);
extern template class ImageSolve<float>;
extern template class ImageSolve<double>;

}  // namespace perdure
