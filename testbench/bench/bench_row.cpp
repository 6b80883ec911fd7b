// SPDX-License-Identifier: Apache-2.0
#include "testbench/bench/bench_row.h"

#include <fmt/format.h>

#include <stdexcept>

namespace allport {

namespace {

double ratio(double number, double count) { return count > 0 ? number / count : 0; }

std::string text_of(const Json& row, const char* key) { return row[key].get<std::string>(); }
double number_of(const Json& row, const char* key) { return row[key].get<double>(); }

// The flit hops of a case are the same on every model.
std::uint64_t flit_hops(const BenchMeasurement& measured, const Json& rows) {
  std::uint64_t hops = measured.flit_hops;
  for (const Json& other : rows) {
    if (other["case"] != measured.case_name) continue;
    if (other["digest"] != measured.digest) {
      throw std::runtime_error(
          fmt::format("bench: case {}: the digest of {} differs from that of {}",
                      measured.case_name, measured.model, text_of(other, "model")));
    }
    if (hops == 0) hops = other["flit_hops"].get<std::uint64_t>();
  }
  return hops;
}

// How many times as fast systemc ran the case; empty if it did not run it.
std::string speed_of_systemc(const Json& row, const Json& rows) {
  for (const Json& other : rows) {
    if (other["case"] != row["case"] || other["model"] != "systemc" || row["model"] == "systemc") {
      continue;
    }
    return fmt::format("{:.3g}",
                       number_of(other, "cycles_per_second") / number_of(row, "cycles_per_second"));
  }
  return "";
}

std::string instruction_cells(const Json& row) {
  if (!row.contains("instructions_per_flit_hop")) return "";
  return fmt::format(" {:>12.1f} {:>10.1f}", number_of(row, "instructions_per_router_cycle"),
                     number_of(row, "instructions_per_flit_hop"));
}

}  // namespace

Json bench_row(const BenchMeasurement& measured, const Json& rows) {
  const double nanoseconds = measured.wall_seconds * 1e9;
  const auto cycles = static_cast<double>(measured.cycles);
  const double router_cycles = cycles * static_cast<double>(measured.nodes);
  const std::uint64_t hops = flit_hops(measured, rows);
  Json row{{"case", measured.case_name},
           {"model", measured.model},
           {"cycles_per_second", ratio(cycles, measured.wall_seconds)},
           {"ns_per_router_cycle", ratio(nanoseconds, router_cycles)},
           {"ns_per_flit_hop", ratio(nanoseconds, static_cast<double>(hops))}};
  if (measured.instructions) {
    const auto instructions = static_cast<double>(*measured.instructions);
    row["instructions_per_router_cycle"] = ratio(instructions, router_cycles);
    row["instructions_per_flit_hop"] = ratio(instructions, static_cast<double>(hops));
  }
  row["flit_hops"] = hops;
  row["digest"] = measured.digest;
  row["startup_seconds"] = measured.startup_seconds;
  row["peak_bytes"] = measured.peak_bytes;
  return row;
}

std::string bench_table(const Json& rows) {
  const bool has_instructions = !rows.empty() && rows.front().contains("instructions_per_flit_hop");
  std::string text = fmt::format("{:<30} {:<11} {:>11} {:>9} {:>16} {:>12}{} {:>12} {:>10} {:>8}\n",
                                 "case", "model", "cycles/s", "systemc/", "ns/router cycle",
                                 "ns/flit hop", has_instructions ? " instr/router  instr/hop" : "",
                                 "flit hops", "startup s", "peak MB");
  for (const Json& row : rows) {
    text += fmt::format(
        "{:<30} {:<11} {:>11.0f} {:>9} {:>16.2f} {:>12.1f}{} {:>12} {:>10.3f} {:>8.1f}\n",
        text_of(row, "case"), text_of(row, "model"), number_of(row, "cycles_per_second"),
        speed_of_systemc(row, rows), number_of(row, "ns_per_router_cycle"),
        number_of(row, "ns_per_flit_hop"), instruction_cells(row),
        row["flit_hops"].get<std::uint64_t>(), number_of(row, "startup_seconds"),
        number_of(row, "peak_bytes") / 1e6);
  }
  return text;
}

}  // namespace allport
