// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/bench/bench_row.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "testbench/results/text_table.h"

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

using Column = TableColumn<Json>;

Column text_column(const char* key, std::size_t width) {
  return {{key, TextTable::Side::left, "", width},
          [key](const Json& row) { return text_of(row, key); }};
}

// The value of `key` in `unit`, with so many digits after the point.
Column number_column(const char* title, std::size_t width, const char* key, int digits,
                     double unit = 1) {
  return {{title, TextTable::Side::right, "", width}, [key, digits, unit](const Json& row) {
            return fmt::format("{:.{}f}", number_of(row, key) / unit, digits);
          }};
}

std::vector<Column> columns_of(const Json& rows) {
  std::vector<Column> columns{text_column("case", 30), text_column("model", 11),
                              number_column("cycles/s", 11, "cycles_per_second", 0)};
  columns.push_back({{"systemc/", TextTable::Side::right, "", 9},
                     [&rows](const Json& row) { return speed_of_systemc(row, rows); }});
  columns.push_back(number_column("messages/s", 11, "messages_per_second", 0));
  columns.push_back(number_column("ns/router cycle", 16, "ns_per_router_cycle", 2));
  columns.push_back(number_column("ns/flit hop", 12, "ns_per_flit_hop", 1));
  if (!rows.empty() && rows.front().contains("instructions_per_flit_hop")) {
    columns.push_back(number_column("instr/router", 12, "instructions_per_router_cycle", 1));
    columns.push_back(number_column("instr/hop", 10, "instructions_per_flit_hop", 1));
  }
  columns.push_back({{"flit hops", TextTable::Side::right, "", 12},
                     [](const Json& row) { return row["flit_hops"].dump(); }});
  columns.push_back(number_column("startup s", 10, "startup_seconds", 3));
  columns.push_back(number_column("peak MB", 8, "peak_bytes", 1, 1e6));
  return columns;
}

}  // namespace

Json bench_row(const BenchMeasurement& measured, const Json& rows) {
  const double nanoseconds = measured.wall_seconds * 1e9;
  const auto cycles = static_cast<double>(measured.cycles);
  const double router_cycles = cycles * static_cast<double>(measured.nodes);
  const std::uint64_t hops = flit_hops(measured, rows);
  Json row{
      {"case", measured.case_name},
      {"model", measured.model},
      {"cycles_per_second", ratio(cycles, measured.wall_seconds)},
      {"messages_per_second", ratio(static_cast<double>(measured.messages), measured.wall_seconds)},
      {"ns_per_router_cycle", ratio(nanoseconds, router_cycles)},
      {"ns_per_flit_hop", ratio(nanoseconds, static_cast<double>(hops))}};
  if (measured.instructions) {
    const auto instructions = static_cast<double>(*measured.instructions);
    row["instructions_per_router_cycle"] = ratio(instructions, router_cycles);
    row["instructions_per_flit_hop"] = ratio(instructions, static_cast<double>(hops));
  }
  row["messages"] = measured.messages;
  row["flit_hops"] = hops;
  row["digest"] = measured.digest;
  row["startup_seconds"] = measured.startup_seconds;
  row["peak_bytes"] = measured.peak_bytes;
  return row;
}

std::string bench_table(const Json& rows) { return text_table(columns_of(rows), rows, 1).text(); }

}  // namespace allport
