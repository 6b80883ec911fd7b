// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/cost_report.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "testbench/plan/resolve.h"
#include "testbench/program/report/fabric_report.h"
#include "testbench/program/report/task_report.h"
#include "testbench/program/terminal/version.h"
#include "testbench/results/text_table.h"

namespace allport {

namespace {

constexpr std::array colours{"#0060ad", "#dd181f", "#2a8f4f", "#8e44ad"};

const char* in_words(CostUnit unit) {
  switch (unit) {
    case CostUnit::cycles:
      return "cycles";
    case CostUnit::cycles_per_flit:
      return "cycles/flit";
    case CostUnit::cycles_per_hop:
      return "cycles/hop";
    case CostUnit::number:
      return "";
  }
  return "";
}

std::string short_number(double value) { return fmt::format("{:.8g}", value); }

std::string model_lines(const CostModel& model, const MachinePreset* clock) {
  std::string text = fmt::format("\n{:<12}{} [{}]\n", model.name, model.formula, model.paper);
  for (const CostParameter& one : model.parameters) {
    const bool is_time = one.unit != CostUnit::number;
    text += fmt::format(
        "  {:<10}{:>14} {:<12}{}{}\n", one.name, short_number(one.value), in_words(one.unit),
        clock != nullptr ? fmt::format("{:>14} {:<3}",
                                       is_time ? short_number(clock->microseconds(one.value)) : "",
                                       is_time ? "us" : "")
                         : "",
        one.meaning);
  }
  return text + fmt::format("  R^2 {:.6f}, largest residual {} cycles\n", model.r_squared(),
                            short_number(model.largest_residual()));
}

// A time of the samples: as a column of the text, and in JSON.
struct SampleTime {
  const char* title;
  std::size_t width;
  const char* key;
  double CostSample::*time;
};
constexpr std::array sample_times{SampleTime{"measured", 12, "one_way", &CostSample::one_way},
                                  SampleTime{"os", 8, "os", &CostSample::sending},
                                  SampleTime{"or", 8, "or", &CostSample::receiving},
                                  SampleTime{"g", 10, "g", &CostSample::gap}};

// The models of the pair's times beside each other. A row is the number of a sample.
std::string fit_table(const CostStudy& study) {
  using Side = TextTable::Side;
  const std::vector<CostSample>& samples = study.samples.pair;
  std::vector<TableColumn<std::size_t>> columns{{{"flits", Side::right, "", 8}, [&](std::size_t i) {
                                                   return std::to_string(samples[i].flits);
                                                 }}};
  for (const SampleTime& one : sample_times) {
    columns.push_back({{one.title, Side::right, "", one.width},
                       [&](std::size_t i) { return short_number(samples[i].*one.time); }});
  }
  for (const CostModel& model : study.models) {
    if (model.times != CostTimes::pair) continue;
    columns.push_back({{std::string(model.name), Side::right, "", 12}, [&](std::size_t i) {
                         return fmt::format("{:.2f}", model.fits[i].predicted);
                       }});
    columns.push_back({{"residual", Side::right, "", 10}, [&](std::size_t i) {
                         return fmt::format("{:.2f}", model.fits[i].residual());
                       }});
  }
  return "\n" + text_table(columns, row_numbers(samples.size()), 1).text();
}

Json parameter_json(const CostParameter& one, const MachinePreset* clock) {
  if (one.unit == CostUnit::number) return one.value;
  Json json{{in_words(one.unit), one.value}};
  if (clock != nullptr) json["microseconds"] = clock->microseconds(one.value);
  return json;
}

Json model_json(const CostModel& model, const MachinePreset* clock) {
  Json parameters;
  for (const CostParameter& one : model.parameters) {
    parameters[one.name] = parameter_json(one, clock);
  }
  Json fits = Json::array();
  for (const CostFit& fit : model.fits) {
    fits.push_back({{"hops", fit.hops},
                    {"flits", fit.flits},
                    {"measured", fit.measured},
                    {"predicted", fit.predicted},
                    {"residual", fit.residual()}});
  }
  return {{"model", model.name},
          {"formula", model.formula},
          {"paper", model.paper},
          {"parameters", std::move(parameters)},
          {"r_squared", model.r_squared()},
          {"largest_residual", model.largest_residual()},
          {"fit", std::move(fits)}};
}

}  // namespace

std::string cost_report(const CostStudy& study) {
  const Topology& topology = study.plan.routing.topology();
  const SimulationConfig& simulation = study.plan.simulation;
  const RouterRequest& router = study.plan.request.router;
  std::string links = "link delay " + link_delay_in_words(router);
  if (study.plan.router.links != nullptr) {
    links = links_in_words(*study.plan.router.links, topology);
  } else if (study.plan.router.has_narrow_channels()) {
    links += ", link width " + link_width_in_words(router);
  }
  std::string text =
      fmt::format("fabric      {}: {} nodes, {} routing, {} switching, buffers of {} flits, {}{}\n",
                  topology.name(), topology.node_count(), study.plan.routing.name(),
                  to_string(study.request.router.switching), study.plan.router.buffer_depth, links,
                  pipeline_in_words(study.plan.router));
  if (study.request.node.preset != nullptr) {
    const MachinePreset& preset = *study.request.node.preset;
    text += fmt::format("machine     {} [{}], {}\n", preset.machine, preset.papers,
                        preset.has_clock() ? fmt::format("{} ns a cycle", *preset.cycle_ns)
                                           : std::string("no clock stated"));
  }
  text += fmt::format("pair        {} -> {}, {} hop{}, on the model {}\n",
                      topology.node_name(study.pair.source),
                      topology.node_name(study.pair.destination), study.samples.hops,
                      study.samples.hops == 1 ? "" : "s", to_string(study.request.model));
  text += fmt::format("message     flits of {} byte{}, {}\n", simulation.flit_bytes,
                      simulation.flit_bytes == 1 ? "" : "s", node_in_words(simulation));
  for (const CostModel& model : study.models) text += model_lines(model, study.clock());
  if (study.models.back().times != CostTimes::distances) {
    text += "\ncut-through  not determined: all nodes are one hop apart\n";
  }
  return text + fit_table(study);
}

Json cost_json(const CostStudy& study) {
  const Topology& topology = study.plan.routing.topology();
  Json config = machine_json(study.plan);
  config.erase("flits");
  config.erase("bytes");
  Json samples = Json::array();
  for (const CostSample& one : study.samples.pair) {
    Json entry{{"flits", one.flits}};
    for (const SampleTime& time : sample_times) entry[time.key] = one.*time.time;
    samples.push_back(std::move(entry));
  }
  Json models = Json::array();
  for (const CostModel& model : study.models) models.push_back(model_json(model, study.clock()));
  return {{"version", program_version},
          {"config", std::move(config)},
          {"model", to_string(study.request.model)},
          {"pair",
           {{"source", node_json(study.pair.source, topology)},
            {"destination", node_json(study.pair.destination, topology)},
            {"hops", study.samples.hops}}},
          {"samples", std::move(samples)},
          {"models", std::move(models)}};
}

std::string cost_csv(const CostStudy& study) {
  std::string text = "model,hops,flits,measured,predicted,residual\n";
  for (const CostModel& model : study.models) {
    for (const CostFit& fit : model.fits) {
      text += fmt::format("{},{},{},{},{},{}\n", model.name, fit.hops, fit.flits, fit.measured,
                          fit.predicted, fit.residual());
    }
  }
  return text;
}

std::string cost_plot(const CostStudy& study) {
  std::string text = fmt::format(
      "set terminal svg size 900,560 background rgb 'white' font 'sans,14'\n"
      "set title 'One message over {} hop{}, {}, {}' noenhanced\n"
      "set grid lc rgb '#dddddd'\n"
      "set key outside right top vertical Left reverse noenhanced\n"
      "set xlabel 'flits of the message'\nset ylabel 'one-way time (cycles)'\n"
      "set logscale xy\nset autoscale xfix\n",
      study.samples.hops, study.samples.hops == 1 ? "" : "s", study.plan.routing.topology().name(),
      node_in_words(study.plan.simulation));
  text += "$measured << end_of_data\n";
  for (const CostSample& one : study.samples.pair) {
    text += fmt::format("{} {}\n", one.flits, one.one_way);
  }
  text += "end_of_data\n";
  std::string plot = "plot ";
  for (std::size_t i = 0; i < study.models.size() && i < colours.size(); ++i) {
    const CostModel& model = study.models[i];
    if (model.times != CostTimes::pair) continue;
    text += fmt::format("${} << end_of_data\n", model.name);
    for (const CostFit& fit : model.fits) text += fmt::format("{} {}\n", fit.flits, fit.predicted);
    text += "end_of_data\n";
    // The first line is broad, so that a second line on top of it leaves it visible.
    plot += fmt::format("${0} with lines lw {1} dt {2} lc rgb '{3}' title '{0}', ", model.name,
                        i == 0 ? 5 : 2, i + 1, colours[i]);
  }
  return text + plot + "$measured with points pt 7 ps 0.7 lc rgb '#222222' title 'simulated'\n";
}

}  // namespace allport
