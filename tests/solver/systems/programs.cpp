#include "programs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <regex>
#include <sstream>

#include "solver/systems/apply.hpp"

namespace perdure::systems_test {
namespace {

using systems::Operation;
using systems::Term;

/// The value of a term without arguments.
double leaf_value(const Term &term, const systems::CellContext &context) {
    systems::Graph graph;
    return systems::evaluate(graph, graph.add(term), context);
}

std::optional<Operation> operation_named(const std::string &name) {
    for (unsigned i = 0; i < SYSTEM_OPERATION_COUNT; ++i) {
        if (systems::name_of(static_cast<Operation>(i)) == name) {
            return static_cast<Operation>(i);
        }
    }
    return std::nullopt;
}

}  // namespace

systems::CellContext context_of(const systems::System &system, const Grid &grid,
                                const std::vector<std::vector<double>> &fields) {
    systems::CellContext context;
    context.grid = &grid;
    for (const auto &[name, value] : system.parameters) {
        context.parameters.push_back(value);
    }
    for (const std::vector<double> &field : fields) {
        context.fields.push_back(field.data());
    }
    return context;
}

std::map<int, double> run_program(const systems::RowProgram &program, const systems::CellContext &context) {
    std::map<int, double> results;
    std::vector<std::optional<double>> registers(program.registers);
    for (const system_instruction_t &instruction : program.instructions) {
        Term term;
        term.operation = static_cast<Operation>(instruction.operation);
        term.index = static_cast<int>(instruction.index);
        term.offset = {instruction.offset[0], instruction.offset[1], instruction.offset[2]};
        term.number = instruction.number;
        std::array<double, 3> arguments{};
        for (int k = 0; k < arguments_of(term.operation); ++k) {
            const std::optional<double> &argument = registers.at(instruction.arguments[k]);
            EXPECT_TRUE(argument.has_value());
            arguments[k] = argument.value_or(NAN);
        }
        if (term.operation == Operation::RATE) {
            results[term.index] = arguments[0];
            continue;
        }
        registers.at(instruction.target) =
            arguments_of(term.operation) == 0
                ? leaf_value(term, context)
                : systems::apply(term.operation, arguments[0], arguments[1], arguments[2]);
    }
    return results;
}

std::map<int, double> run_printed(const std::string &text, const systems::CellContext &context) {
    static const std::regex statement(R"(const real_t (r\d+) = ([A-Z_]+)\((.*)\);)");
    static const std::regex result(R"((RATE\((\d+), |VALUES\(|COEFFICIENT_OF_SIDE\()(r\d+)\);)");
    std::map<std::string, double> values;
    std::map<int, double> results;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, match, result)) {
            const bool is_rate = match[2].matched;
            results[is_rate ? std::stoi(match[2]) : line[0] == 'V' ? 0 : 1] = values.at(match[3]);
            continue;
        }
        EXPECT_TRUE(std::regex_match(line, match, statement)) << line;
        const std::optional<Operation> operation = operation_named(match[2]);
        EXPECT_TRUE(operation.has_value()) << line;
        std::vector<std::string> arguments;
        std::istringstream list(match[3]);
        for (std::string argument; std::getline(list, argument, ',');) {
            arguments.push_back(argument.substr(argument.find_first_not_of(' ')));
        }
        Term term;
        term.operation = operation.value_or(Operation::TIME);
        const int count = arguments_of(term.operation);
        if (count == 0) {
            EXPECT_FALSE(term.operation == Operation::TIME && !arguments.empty()) << line;
            if (term.operation == Operation::NUMBER) {
                term.number = std::stod(arguments.at(0));
            } else if (term.operation != Operation::TIME) {
                term.index = std::stoi(arguments.at(0));
                for (std::size_t axis = 0; axis + 1 < arguments.size(); ++axis) {
                    term.offset[axis] = std::stoi(arguments[axis + 1]);
                }
            }
            values[match[1]] = leaf_value(term, context);
            continue;
        }
        EXPECT_EQ(arguments.size(), static_cast<std::size_t>(count)) << line;
        arguments.resize(3, arguments[0]);
        values[match[1]] = systems::apply(term.operation, values.at(arguments[0]), values.at(arguments[1]),
                                          values.at(arguments[2]));
    }
    return results;
}

}  // namespace perdure::systems_test
