#include "solver/measure/compare/sweep.hpp"
#include "solver/run/execution_models.hpp"

namespace perdure::compare {

std::vector<Contender> contenders(const std::vector<ExecutionModel> &models,
                                  const std::vector<BarrierChoice> &barriers, bool every_barrier,
                                  const Config &config) {
    const std::vector<ExecutionModel> all(all_models.begin(), all_models.end());
    constexpr auto every = values_without(BarrierChoice::automatic);
    std::vector<Contender> list;
    for (const ExecutionModel model : models.empty() ? all : models) {
        const std::string model_name = name(model);
        if (model != ExecutionModel::persistent || (barriers.empty() && !every_barrier)) {
            const BarrierChoice barrier =
                model == ExecutionModel::persistent ? config.execution.barrier : BarrierChoice::automatic;
            list.push_back({model_name, model, barrier, !models.empty()});
            continue;
        }
        for (const BarrierChoice barrier :
             every_barrier ? std::vector(every.begin(), every.end()) : barriers) {
            list.push_back({model_name + "/" + name(barrier), model, barrier, !every_barrier});
        }
    }
    return list;
}

}  // namespace perdure::compare
