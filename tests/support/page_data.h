// SPDX-License-Identifier: Apache-2.0
// This header reads what a page for a browser has for its scripts.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace allport::test {

/// The data that the scripts of a page read.
nlohmann::json data_of(const std::string& page);

/// The columns of a table of that data (testbench/show/picture/packed_table.h), by their names.
std::map<std::string, std::vector<std::int64_t>> columns_of(const nlohmann::json& table);

}  // namespace allport::test
