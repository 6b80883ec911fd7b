// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/machine_preset.h"

#include <cmath>
#include <stdexcept>

#include "rtl_model/base/names.h"

namespace allport {

namespace {

// [Robinson93] section 2: the nCUBE-2 resolves addresses from the lowest bit on.
MachinePreset ncube2() {
  MachinePreset preset{"ncube2", "nCUBE-2, a hypercube", "Robinson93"};
  preset.flit_bytes = 4;
  preset.routing = "ascending";
  preset.remark = "the paper states no times; flits of 4 bytes are a choice of the program";
  return preset;
}

// [Jeon01] section 3: Ts = 1 us, Tf = 0.0029 us, and for comparison Lf = 1 byte and Tr = Tf.
MachinePreset t3e() {
  MachinePreset preset{"t3e", "Cray T3E", "Jeon01"};
  preset.cycle_ns = 2.9;
  preset.ts_us = 1;
  preset.flit_bytes = 1;
  preset.replication_delay = 1;
  preset.remark = "flits of 1 byte and Tr = Tf are the paper's assumptions";
  return preset;
}

// [Ranka88] section 2: one hop takes about 446.7 + 2.4 N microseconds for N bytes; the
// hop itself is one of these cycles.
MachinePreset ncube10() {
  MachinePreset preset{"ncube10", "NCUBE/10, a hypercube, over one hop", "Ranka88"};
  preset.cycle_ns = 2400;
  preset.ts_us = 446.7 - 2.4;
  preset.flit_bytes = 1;
  preset.remark =
      "N bytes over one hop take 446.7 + 2.4 N us; ts is this time without the hop; its processors forwarded what goes further, which the fabric does not";
  return preset;
}

}  // namespace

std::optional<Cycle> MachinePreset::ts_cycles() const {
  if (!ts_us || !cycle_ns) return std::nullopt;
  return std::llround(*ts_us * 1000 / *cycle_ns);
}

const std::vector<MachinePreset>& machine_presets() {
  static const std::vector<MachinePreset> table{
      ncube2(),
      t3e(),
      ncube10(),
  };
  return table;
}

const MachinePreset& find_machine_preset(std::string_view name) {
  std::vector<std::string_view> names;
  for (const MachinePreset& preset : machine_presets()) {
    if (preset.name == name) return preset;
    names.push_back(preset.name);
  }
  throw std::invalid_argument(unknown_name("preset", name, names));
}

}  // namespace allport
