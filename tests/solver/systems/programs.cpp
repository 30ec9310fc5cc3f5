#include "programs.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
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

/// What stands between commas.
std::vector<std::string> split(const std::string &list) {
    std::vector<std::string> parts;
    std::istringstream stream(list);
    for (std::string part; std::getline(stream, part, ',');) {
        parts.push_back(part.substr(part.find_first_not_of(' ')));
    }
    return parts;
}

double value_of(Operation operation, const std::vector<std::string> &arguments,
                const std::map<std::string, double> &values, const systems::CellContext &context) {
    Term term;
    term.operation = operation;
    const auto count = static_cast<std::size_t>(arguments_of(operation));
    if (count > 0) {
        EXPECT_EQ(arguments.size(), count);
        const auto argument = [&](std::size_t k) { return k < count ? values.at(arguments.at(k)) : 0.0; };
        return systems::apply(operation, argument(0), argument(1), argument(2));
    }
    if (operation == Operation::NUMBER) {
        term.number = std::stod(arguments.at(0));
    } else if (operation == Operation::TIME) {
        EXPECT_TRUE(arguments.empty());
    } else {
        EXPECT_EQ(arguments.size(), operation == Operation::PARAMETER ? 1U : 4U);
        term.index = std::stoi(arguments.at(0));
        for (std::size_t axis = 0; axis + 1 < arguments.size(); ++axis) {
            term.offset.at(axis) = std::stoi(arguments[axis + 1]);
        }
    }
    return leaf_value(term, context);
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
    std::map<int, double> nothing;
    return run_printed(text, context, nothing);
}

std::map<int, double> run_printed(const std::string &text, const systems::CellContext &context,
                                  std::map<int, double> &reused) {
    std::map<std::string, double> values;
    std::map<int, double> results;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::string declaration = "const real_t ", prefix = "VALUE_";
        const std::size_t open = line.find('(');
        EXPECT_TRUE(open != std::string::npos && line.ends_with(");")) << line;
        const std::vector<std::string> arguments = split(line.substr(open + 1, line.size() - open - 3));
        if (!line.starts_with(declaration)) {
            const std::string result = line.substr(0, open);
            if (result == "VALUE_TO_REUSE") {
                reused[std::stoi(arguments.at(0))] = values.at(arguments.at(1));
                continue;
            }
            EXPECT_TRUE(result == "VALUE_RATE" || result == "SIDE_VALUES" || result == "SIDE_COEFFICIENT")
                << line;
            results[result == "VALUE_RATE"    ? std::stoi(arguments.at(0))
                    : result == "SIDE_VALUES" ? 0
                                              : 1] = values.at(arguments.back());
            continue;
        }
        const std::size_t equals = line.find(" = ");
        EXPECT_LT(equals, open) << line;
        const std::string name = line.substr(declaration.size(), equals - declaration.size());
        const std::string function = line.substr(equals + 3, open - equals - 3);
        EXPECT_TRUE(function.starts_with(prefix)) << line;
        EXPECT_FALSE(values.contains(name)) << line;
        if (function == "VALUE_REUSED") {
            values[name] = reused.at(std::stoi(arguments.at(0)));
            continue;
        }
        const std::optional<Operation> operation = operation_named(function.substr(prefix.size()));
        EXPECT_TRUE(operation.has_value()) << line;
        values[name] = value_of(operation.value_or(Operation::TIME), arguments, values, context);
    }
    return results;
}

}  // namespace perdure::systems_test
