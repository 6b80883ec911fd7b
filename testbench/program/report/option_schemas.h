// SPDX-License-Identifier: Apache-2.0
// The schemas of the files that set options are made from the table of options. TOML has the types
// of JSON, so a file is validated as the JSON that it would be.
#pragma once

#include "testbench/results/json.h"

namespace allport {

/// Tables and keys of a scenario (docs/guide/options.md).
Json scenario_schema();
/// The same where each key may have several values, with the table `sweep`
/// (docs/guide/sweeps.md).
Json grid_schema();
/// What a config has in `asked`: the options that determine the result, as texts.
Json asked_schema();
/// Completes `properties` of a config: an option with `{}` has the schema that follows from the
/// table of options, and so has an option of which a config tells and that is missing there. Those
/// of the machine, or those of the outputs.
void add_told_schemas(Json& properties, bool is_of_machine);
/// The keys of the file of --declaration (docs/bring-your-own-router.md, section 1).
Json declaration_schema();

}  // namespace allport
