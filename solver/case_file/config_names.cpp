// The words of a case file for each choice. A value outside its enumeration is a programming error.
#include <stdexcept>

#include "solver/case_file/config.hpp"

namespace perdure {
namespace {

[[noreturn]] void not_a_value() {
    throw std::logic_error("a choice of the configuration holds no known value");
}

}  // namespace

const char *name(ProblemType type) {
    switch (type) {
        case ProblemType::diffusion:
            return "diffusion";
        case ProblemType::heat:
            return "heat";
        case ProblemType::effective:
            return "effective";
    }
    not_a_value();
}

const char *name(Axis axis) {
    switch (axis) {
        case Axis::x:
            return "x";
        case Axis::y:
            return "y";
        case Axis::z:
            return "z";
    }
    not_a_value();
}

const char *name(SideKind kind) {
    switch (kind) {
        case SideKind::flux:
            return "flux";
        case SideKind::value:
            return "value";
        case SideKind::exchange:
            return "exchange";
        case SideKind::periodic:
            return "periodic";
    }
    not_a_value();
}

const char *name(SolverMethod method) {
    switch (method) {
        case SolverMethod::jacobi:
            return "jacobi";
        case SolverMethod::cg:
            return "cg";
        case SolverMethod::bicgstab:
            return "bicgstab";
        case SolverMethod::chebyshev:
            return "chebyshev";
        case SolverMethod::sor:
            return "sor";
        case SolverMethod::multigrid:
            return "multigrid";
    }
    not_a_value();
}

const char *name(Cycle cycle) {
    switch (cycle) {
        case Cycle::v:
            return "v";
        case Cycle::w:
            return "w";
        case Cycle::f:
            return "f";
    }
    not_a_value();
}

const char *name(Smoother smoother) {
    switch (smoother) {
        case Smoother::chebyshev:
            return "chebyshev";
        case Smoother::jacobi:
            return "jacobi";
        case Smoother::red_black:
            return "red_black";
    }
    not_a_value();
}

const char *name(Convection convection) {
    switch (convection) {
        case Convection::central:
            return "central";
        case Convection::upwind:
            return "upwind";
    }
    not_a_value();
}

const char *name(Preconditioner preconditioner) {
    switch (preconditioner) {
        case Preconditioner::none:
            return "none";
        case Preconditioner::jacobi:
            return "jacobi";
        case Preconditioner::multigrid:
            return "multigrid";
    }
    not_a_value();
}

const char *name(Norm norm) {
    switch (norm) {
        case Norm::l2:
            return "l2";
        case Norm::max:
            return "max";
    }
    not_a_value();
}

const char *name(Precision precision) {
    switch (precision) {
        case Precision::float32:
            return "float32";
        case Precision::float64:
            return "float64";
        case Precision::mixed:
            return "mixed";
    }
    not_a_value();
}

const char *name(BarrierChoice barrier) {
    switch (barrier) {
        case BarrierChoice::automatic:
            return "auto";
        case BarrierChoice::group_leader:
            return "group_leader";
        case BarrierChoice::all_items:
            return "all_items";
        case BarrierChoice::lock_free:
            return "lock_free";
        case BarrierChoice::tree:
            return "tree";
        case BarrierChoice::cooperative:
            return "cooperative";
    }
    not_a_value();
}

const char *name(ExecutionModel model) {
    switch (model) {
        case ExecutionModel::automatic:
            return "auto";
        case ExecutionModel::persistent:
            return "persistent";
        case ExecutionModel::launches:
            return "launches";
        case ExecutionModel::graph:
            return "graph";
        case ExecutionModel::graph_while:
            return "graph_while";
        case ExecutionModel::resident:
            return "resident";
    }
    not_a_value();
}

const char *name(BackendChoice backend) {
    switch (backend) {
        case BackendChoice::automatic:
            return "auto";
        case BackendChoice::host:
            return "host";
        case BackendChoice::opencl:
            return "opencl";
        case BackendChoice::cuda:
            return "cuda";
    }
    not_a_value();
}

const char *name(Compression compression) {
    switch (compression) {
        case Compression::gzip:
            return "gzip";
        case Compression::none:
            return "none";
    }
    not_a_value();
}

const char *name(SeriesLayout layout) {
    switch (layout) {
        case SeriesLayout::temporal:
            return "temporal";
        case SeriesLayout::files:
            return "files";
    }
    not_a_value();
}

}  // namespace perdure
