// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/grid_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "testbench/program/options/scenario_tables.h"

namespace allport {

namespace {

bool is_list(const OptionSpec& spec) { return separator_of(spec, {}) == ';'; }

// One delay for all dimensions is usual, and one width, links that are drawn, one hotspot, a rule
// of places and a file of a group; but there are lists of them.
bool may_be_list(const OptionSpec& spec) {
  constexpr std::array<std::string_view, 6> lists{"link_delay", "link_width", "missing_links",
                                                  "hotspot",    "place",      "group"};
  return std::find(lists.begin(), lists.end(), spec.key) != lists.end();
}

class Reader {
 public:
  Reader(const std::string& name, const OptionList& accepted) : tables_(name, accepted) {}

  GridText read(const std::string& text) {
    tables_.also("sweep", [this](const toml::table& table) { read_sweep(table); });
    tables_.read(text,
                 [this](const OptionSpec& spec, const toml::key& key, const toml::node& value) {
                   place_ = tables_.place(value.source());
                   GridKey one{&spec, {}, place_};
                   if (const auto* list = value.as_array()) {
                     if (list->empty()) reject(fmt::format("{} has no values", key.str()));
                     for (const toml::node& item : *list) add_item(one, key, item);
                   } else {
                     add_values(one, tables_.text_of(key, value));
                   }
                   grid_.keys.push_back(std::move(one));
                 });
    return std::move(grid_);
  }

 private:
  [[noreturn]] void reject(const std::string& what) const {
    throw std::invalid_argument(place_ + what);
  }

  void add_values(GridKey& one, const std::string& text) const {
    try {
      one.values = parse_values(text, separator_of(*one.spec, text));
    } catch (const std::invalid_argument& error) {
      reject(fmt::format("{}: {}", one.spec->key, error.what()));
    }
  }

  // One value, or a range.
  void add_item(GridKey& one, const toml::key& key, const toml::node& item) {
    place_ = tables_.place(item.source());
    if (is_list(*one.spec) && !item.is_string() && !item.is_array()) {
      reject(fmt::format(
          "{0} is a list itself: write {0} = [[1, 3], [5]] for two lists, or {0} = \"1,3\" for one",
          key.str()));
    }
    if (!is_list(*one.spec) && !may_be_list(*one.spec) && item.is_array()) {
      reject(fmt::format("{} has a list in its list of values", key.str()));
    }
    try {
      one.values.add(tables_.text_of(key, item));
    } catch (const std::invalid_argument& error) {
      const std::string_view what = error.what();
      if (what.substr(0, place_.size()) == place_) throw;
      reject(fmt::format("{}: {}", key.str(), what));
    }
  }

  void read_sweep(const toml::table& table) {
    for (const auto& [key, value] : table) {
      place_ = tables_.place(key.source());
      if (key.str() != "zip") reject(unknown_name("key", key.str(), {"zip"}));
      const toml::array* zips = value.as_array();
      if (zips == nullptr) reject(R"(zip must be a list of lists, as in [["flits", "ts"]])");
      for (const toml::node& zip : *zips) read_zip(zip);
    }
  }

  void read_zip(const toml::node& node) {
    place_ = tables_.place(node.source());
    const toml::array* list = node.as_array();
    if (list == nullptr || !list->is_homogeneous<std::string>()) {
      reject(R"(zip must be a list of lists, as in [["flits", "ts"]])");
    }
    Zip zip{{}, place_};
    for (const toml::node& key : *list) zip.keys.push_back(key.as_string()->get());
    grid_.zips.push_back(std::move(zip));
  }

  ScenarioTables tables_;
  GridText grid_;
  std::string place_;  // of the item that is being read
};

const GridKey& find(const GridText& text, const Zip& zip, const std::string& key) {
  std::vector<std::string_view> known;
  for (const GridKey& one : text.keys) {
    if (one.spec->key == key) return one;
    known.push_back(one.spec->key);
  }
  throw std::invalid_argument(
      zip.place + "zip names a key that the grid does not set: " + unknown_name("key", key, known));
}

Axis zipped(const GridText& text, const Zip& zip) {
  Axis axis;
  for (const std::string& key : zip.keys) {
    const GridKey& one = find(text, zip, key);
    const bool is_twice = std::count(zip.keys.begin(), zip.keys.end(), key) > 1;
    if (is_twice) throw std::invalid_argument(zip.place + shown(key, 100) + " is zipped twice");
    axis.keys.push_back(key);
    axis.values.push_back(one.values);
    if (axis.values.back().size() == axis.size()) continue;
    throw std::invalid_argument(fmt::format(
        "{}{} has {} values and {} has {}: keys that are zipped must have the same number of values",
        zip.place, axis.keys.front(), axis.size(), key, axis.values.back().size()));
  }
  return axis;
}

// The zip that contains `key`; null: none does.
const Zip* zip_of(const GridText& text, std::string_view key) {
  const Zip* found = nullptr;
  for (const Zip& zip : text.zips) {
    if (std::count(zip.keys.begin(), zip.keys.end(), key) == 0) continue;
    if (found != nullptr) {
      throw std::invalid_argument(fmt::format("{}{} is zipped twice", zip.place, key));
    }
    found = &zip;
  }
  return found;
}

}  // namespace

char separator_of(const OptionSpec& spec, std::string_view text) {
  if (may_be_list(spec)) return text.find(';') == std::string_view::npos ? ',' : ';';
  constexpr std::array<std::string_view, 11> lists{
      "source", "destinations", "chain",   "missing_nodes", "flit_errors", "lose_credit",
      "rtl",    "file_list",    "include", "define",        "parameter"};
  return std::find(lists.begin(), lists.end(), spec.key) != lists.end() ? ';' : ',';
}

GridText parse_grid(const std::string& text, const std::string& name, const OptionList& accepted) {
  return Reader(name, accepted).read(text);
}

GridText read_grid(const std::string& path, const OptionList& accepted) {
  return parse_grid(read_whole_text(path, "grid"), path == "-" ? "stdin" : path, accepted);
}

GridText merge_grids(GridText file, const Settings& command_line,
                     const std::vector<std::vector<std::string>>& zips) {
  Settings
      given;  // without values: which keys the command line contradicts does not depend on them
  for (const GridKey& key : file.keys) given.push_back({key.spec, "", key.place});
  const Settings left = remaining(given, command_line);
  GridText merged{{}, std::move(file.zips)};
  for (const OptionSpec& spec : option_table()) {
    const auto is_it = [&spec](const auto& one) { return one.spec->key == spec.key; };
    const auto option = std::find_if(command_line.begin(), command_line.end(), is_it);
    const auto key = std::find_if(file.keys.begin(), file.keys.end(), is_it);
    if (option != command_line.end()) {
      try {
        merged.keys.push_back(
            {option->spec, parse_values(option->text, separator_of(spec, option->text)), ""});
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(option->name() + ": " + error.what());
      }
    } else if (std::any_of(left.begin(), left.end(), is_it)) {
      merged.keys.push_back(*key);
    }
  }
  for (const std::vector<std::string>& keys : zips) merged.zips.push_back({keys, "--zip: "});
  return merged;
}

SweepGrid make_grid(const GridText& text) {
  std::vector<Axis> axes;
  for (const Zip& zip : text.zips) {
    if (zip.keys.size() < 2) {
      throw std::invalid_argument(zip.place + "a zip must join at least two keys");
    }
    zipped(text, zip);
  }
  for (const GridKey& one : text.keys) {
    const std::string key(one.spec->key);
    const Zip* zip = zip_of(text, key);
    if (zip == nullptr) {
      axes.push_back({{key}, {one.values}});
    } else if (zip->keys.front() == key) {
      axes.push_back(zipped(text, *zip));
    }
  }
  return SweepGrid(std::move(axes));
}

}  // namespace allport
