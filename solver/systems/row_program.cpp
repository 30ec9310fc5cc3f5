#include <algorithm>
#include <utility>

#include "solver/systems/arrange.hpp"
#include "solver/systems/system.hpp"

namespace perdure::systems {
namespace {

/// Hands out the lowest register that is free.
class Registers {
  public:
    int take() {
        const auto found = std::find(taken_.begin(), taken_.end(), false);
        const auto place = static_cast<int>(found - taken_.begin());
        if (found == taken_.end()) {
            taken_.push_back(true);
        } else {
            *found = true;
        }
        return place;
    }
    void give_back(int place) { taken_[place] = false; }
    [[nodiscard]] int count() const { return static_cast<int>(taken_.size()); }

  private:
    std::vector<bool> taken_;
};

system_instruction_t instruction_of(const Term &term) {
    system_instruction_t instruction{};
    instruction.operation = static_cast<uint32>(term.operation);
    instruction.index = static_cast<uint32>(term.index);
    std::copy(term.offset.begin(), term.offset.end(), instruction.offset);
    instruction.number = term.number;
    return instruction;
}

}  // namespace

RowProgram program_of(const Graph &graph, const std::vector<std::pair<int, int>> &results) {
    std::vector<int> roots;
    std::vector<std::vector<int>> stored(graph.terms().size());  // indices of results
    for (const auto &[term, index] : results) {
        roots.push_back(term);
        stored[term].push_back(index);
    }
    const std::vector<char> needed = needed_terms(graph, roots);
    const auto count = static_cast<int>(needed.size());
    std::vector<int> last_use(count, -1), registers(count, -1);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; needed[i] != 0 && k < arguments_of(graph.terms()[i].operation); ++k) {
            last_use[graph.terms()[i].arguments[k]] = i;
        }
    }
    RowProgram program;
    Registers free;
    for (int i = 0; i < count; ++i) {
        if (needed[i] == 0) {
            continue;
        }
        const Term &term = graph.terms()[i];
        system_instruction_t &instruction = program.instructions.emplace_back(instruction_of(term));
        for (int k = 0; k < arguments_of(term.operation); ++k) {
            const int argument = term.arguments[k];
            instruction.arguments[k] = static_cast<uint32>(registers[argument]);
            if (last_use[argument] == i) {
                free.give_back(registers[argument]);  // twice, of a * a, does no harm
            }
        }
        registers[i] = free.take();
        instruction.target = static_cast<uint32>(registers[i]);
        for (const int index : stored[i]) {
            system_instruction_t &store = program.instructions.emplace_back();
            store = {};
            store.operation = SYSTEM_RATE;
            store.arguments[0] = static_cast<uint32>(registers[i]);
            store.index = static_cast<uint32>(index);
        }
        if (last_use[i] < 0) {
            free.give_back(registers[i]);
        }
    }
    program.registers = free.count();
    return program;
}

RowProgram row_program(const System &system) {
    std::vector<std::pair<int, int>> results;
    for (std::size_t field = 0; field < system.rate_of.size(); ++field) {
        results.emplace_back(system.rate_of[field], static_cast<int>(field));
    }
    return program_of(system.rates, results);
}

RowProgram wave_program(const System &system) {
    return program_of(system.waves, {{system.fastest_wave, 0}});
}

RowProgram side_program(const System &system, int field, int side) {
    const SystemSideTerms &of = system.sides_of[field][side];
    std::vector<std::pair<int, int>> results;
    if (of.values >= 0) {
        results.emplace_back(of.values, 0);
    }
    if (of.coefficient >= 0) {
        results.emplace_back(of.coefficient, 1);
    }
    return program_of(system.sides, results);
}

}  // namespace perdure::systems
