// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/plot_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace allport {

namespace {

constexpr std::size_t few_curves = 8;    // that share a panel without being sorted out
constexpr std::size_t few_colours = 10;  // that are told apart
constexpr std::size_t few_panels = 6;

// What somebody chooses who builds a machine or writes a library; other options say what work there
// is, of which no best one may be taken.
constexpr std::array choices{
    "algorithm", "ports",         "routing",   "vcs",        "classes", "vc_use", "buffer_depth",
    "switching", "combine",       "pieces",    "parts",      "ties",    "place",  "embed",
    "steps",     "address_flits", "join_type", "link_delay", "rtl",     "model",  "link_width"};

bool is_choice(const std::string& key) {
  return std::find(choices.begin(), choices.end(), key) != choices.end();
}

bool holds(const std::vector<std::string>& list, const std::string& key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

const PlotKey* most_values(const std::vector<const PlotKey*>& keys, std::size_t at_most) {
  const PlotKey* most = nullptr;
  for (const PlotKey* key : keys) {
    const std::size_t count = key->values.size();
    if (count <= at_most && (most == nullptr || count > most->values.size())) most = key;
  }
  return most;
}

std::vector<const PlotKey*> those(const std::vector<const PlotKey*>& keys, bool are_choices) {
  std::vector<const PlotKey*> list;
  for (const PlotKey* key : keys) {
    if (is_choice(key->name) == are_choices) list.push_back(key);
  }
  return list;
}

const PlotKey* usual_x(const std::vector<const PlotKey*>& keys) {
  std::vector<std::string> names;
  for (const PlotKey* key : keys) names.push_back(key->name);
  const std::string load = load_axis(names);
  for (const PlotKey* key : keys) {
    if (key->name == (load.empty() ? "bytes" : load)) return key;
  }
  constexpr std::size_t any = ~std::size_t{0};
  const PlotKey* of_work = most_values(those(keys, false), any);
  return of_work != nullptr ? of_work : most_values(keys, any);
}

// The algorithm, or another choice, or what there is.
const PlotKey* usual_colour(const std::vector<const PlotKey*>& keys) {
  for (const PlotKey* key : keys) {
    if (key->name == "algorithm") return key;
  }
  if (const PlotKey* choice = most_values(those(keys, true), few_colours)) return choice;
  if (const PlotKey* other = most_values(keys, few_colours)) return other;
  return keys.empty() ? nullptr : keys.front();
}

}  // namespace

std::string load_axis(const std::vector<std::string>& keys) {
  for (const char* load : {"collective_rate", "outstanding", "rate"}) {
    if (holds(keys, load)) return load;
  }
  return "";
}

PlotView settled_view(PlotView wanted, const std::vector<PlotKey>& keys,
                      const std::vector<std::string>& tied) {
  std::vector<const PlotKey*> open;
  const auto close = [&open](const std::string& name) {
    const auto it = std::find_if(open.begin(), open.end(),
                                 [&](const PlotKey* key) { return key->name == name; });
    if (it != open.end()) open.erase(it);
  };
  for (const PlotKey& key : keys) {
    const bool is_settled = key.name == wanted.panel || holds(wanted.colour, key.name) ||
                            holds(wanted.best, key.name) || wanted.fixed.count(key.name) != 0;
    if (key.name != "seed" && !is_settled) open.push_back(&key);
  }
  if (wanted.x.empty()) {
    const PlotKey* const x = usual_x(open);
    wanted.x = x != nullptr ? x->name : keys.empty() ? "" : keys.front().name;
  }
  close(wanted.x);
  for (const std::string& name : tied) close(name);

  std::size_t curves = 1;
  for (const PlotKey* key : open) curves = std::min(few_curves + 1, curves * key->values.size());
  if (wanted.colour.empty() && (open.size() < 2 || curves <= few_curves)) {
    for (const PlotKey* key : open) wanted.colour.push_back(key->name);
    return wanted;
  }
  if (wanted.colour.empty()) {
    wanted.colour = {usual_colour(open)->name};
    close(wanted.colour.front());
  }
  if (wanted.panel.empty()) {
    const PlotKey* panel = most_values(those(open, false), few_panels);
    if (panel == nullptr) panel = most_values(open, few_panels);
    if (panel != nullptr) {
      wanted.panel = panel->name;
      close(wanted.panel);
    }
  }
  for (const PlotKey* key : open) {
    if (is_choice(key->name)) {
      wanted.best.push_back(key->name);
    } else {
      wanted.fixed[key->name] = key->values[key->values.size() / 2];
    }
  }
  return wanted;
}

bool is_more_better(std::string_view column) {
  for (const std::string_view word :
       {"bandwidth", "accepted", "throughput", "efficiency", "speed_up", "offered", ".ok"}) {
    if (column.find(word) != std::string_view::npos) return true;
  }
  return false;
}

std::string_view bound_column(std::string_view y) {
  for (const std::string_view known : {"latency.max", "latency.completion.mean"}) {
    if (y == known) return "bound.cycles";
  }
  return y == "max" || y == "completion.mean" ? "bound" : "";
}

std::string interval_column(std::string_view y) {
  constexpr std::string_view mean = "completion.mean";
  if (y.size() < mean.size() || y.substr(y.size() - mean.size()) != mean) return "";
  return std::string(y.substr(0, y.size() - 4)) + "half_width_95";
}

bool is_in_bytes(std::string_view key) { return key == "bytes" || key == "flit_bytes"; }

std::string bytes_in_words(double bytes) {
  constexpr std::array<const char*, 4> units{"B", "KiB", "MiB", "GiB"};
  constexpr double next = 1024;
  std::size_t unit = 0;
  for (; unit + 1 < units.size() && bytes >= next && std::fmod(bytes, next) == 0; ++unit) {
    bytes /= next;
  }
  return fmt::format("{} {}", bytes, units[unit]);
}

}  // namespace allport
