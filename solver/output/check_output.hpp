// Checks before a run that its output can be written and replaces no files of others.
#pragma once

#include <variant>

#include "solver/case_file/config.hpp"
#include "solver/output/claim.hpp"

namespace perdure {

/// Throws Failure(case_or_usage) where output.name or a field's name cannot be one. Looks at no file.
void check_output_names(const Config &config);

/// Claims the output name of a case for this process: creates the folder of results and `name.partial/` in it. Returns who
/// holds the name where another process does. Throws Failure(input_output) when the folder cannot be created or written,
/// for a name Failure(case_or_usage).
std::variant<Claim, ClaimHolder> claim_output(const Config &config, bool take_over);

/// What to tell somebody whose name is taken.
Failure name_is_taken(const Config &config, const ClaimHolder &holder);

/// To be called with the claim in hand. Throws Failure(input_output) where results of this name are there already, unless
/// `force`; also with it, where something else than a result has a name that the run needs. `why_other`: what is known about
/// those results already, as EarlierRun::why.
void check_output(const Config &config, bool force, const std::string &why_other = "");

/// With --force, before the run and again before its result is put in place: throws Failure(input_output) where something would be
/// replaced that perdure did not write.
void refuse_to_replace_others(const Config &config);

/// Throws Failure(input_output) where `name.csv` is a file that perdure did not write.
void refuse_foreign_series(const Config &config);

}  // namespace perdure
