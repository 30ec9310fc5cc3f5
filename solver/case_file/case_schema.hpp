// Writes a JSON Schema of case files, with which editors complete and check them.
#pragma once

#include <string>

namespace perdure {

/// Of every schema of case files, by which one is known.
inline constexpr const char *schema_title = "perdure case file";

/// The schema (draft 7) as JSON, made of case_keys(). It knows keys, types, words, ranges, defaults and meanings, which keys belong to
/// which problem.type and solver.method, and which are required. It accepts every case that the reader accepts: where a sweep may give what is missing,
/// or change problem.type, nothing is required. Formulas, files and most of what depends on the values of other keys are left to
/// `perdure validate`.
std::string case_schema();

}  // namespace perdure
