#include "solver/problem/problem.hpp"

#include <fmt/format.h>

#include "solver/failure.hpp"

namespace perdure {

namespace {

void expect_one_field(const Problem &problem) {
    if (problem.fields.size() != 1) {
        throw Failure(
            ExitCode::differs_or_internal,
            fmt::format("internal error: expected one field, the problem has {}", problem.fields.size()));
    }
}

}  // namespace

Field::Field() = default;
Field::Field(const Field &) = default;
Field::Field(Field &&) noexcept = default;
Field &Field::operator=(const Field &) = default;
Field &Field::operator=(Field &&) noexcept = default;
Field::~Field() = default;

Problem::Problem() = default;
Problem::Problem(const Problem &) = default;
Problem::Problem(Problem &&) noexcept = default;
Problem &Problem::operator=(const Problem &) = default;
Problem &Problem::operator=(Problem &&) noexcept = default;
Problem::~Problem() = default;

const Field &Problem::only_field() const {
    expect_one_field(*this);
    return fields.front();
}

Field &Problem::only_field() {
    expect_one_field(*this);
    return fields.front();
}

}  // namespace perdure
