// SPDX-License-Identifier: Apache-2.0
#include "testbench/waves/gtkw_file.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>

#include "testbench/waves/gtkw_writer.h"
#include "testbench/waves/router_traces.h"
#include "testbench/waves/wave_selection.h"
#include "testbench/waves/wave_translation.h"

namespace allport {

namespace {

std::string without_folder(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  write(file);
  file.close();
  if (!file) throw std::runtime_error("file " + path + ": could not be written");
}

// All findings of the window, as far as there are markers; else the first one of each equal part of
// the window, so that they are spread over it.
std::vector<WaveFinding> chosen(const std::vector<WaveFinding>& findings, Cycle first, Cycle last) {
  std::vector<WaveFinding> seen;
  for (const WaveFinding& finding : findings) {
    if (finding.cycle >= first && finding.cycle <= last) seen.push_back(finding);
  }
  const auto is_earlier = [](const WaveFinding& a, const WaveFinding& b) {
    return a.cycle < b.cycle;
  };
  std::stable_sort(seen.begin(), seen.end(), is_earlier);
  if (seen.size() <= GtkwWriter::max_markers) return seen;
  constexpr Cycle parts = GtkwWriter::max_markers;
  std::vector<WaveFinding> spread;
  Cycle part = -1;
  for (const WaveFinding& finding : seen) {
    const Cycle its_part = (finding.cycle - first) * parts / (last - first + 1);
    if (its_part != part) spread.push_back(finding);
    if (finding.is_end) spread.back() = finding;
    part = its_part;
  }
  return spread;
}

// Markers with text where it does not run into the next one's.
std::vector<GtkwMarker> markers_of(const std::vector<WaveFinding>& findings, Cycle first,
                                   Cycle last) {
  const Cycle needed = (last - first + 1) / 9;
  const std::vector<WaveFinding> marked = chosen(findings, first, last);
  std::vector<GtkwMarker> markers;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const bool is_free_before = i == 0 || marked[i].cycle - marked[i - 1].cycle > needed;
    const bool is_free_behind =
        i + 1 == marked.size() || marked[i + 1].cycle - marked[i].cycle > needed;
    const bool has_text = marked[i].has_text || (is_free_before && is_free_behind);
    markers.push_back({marked[i].cycle, has_text ? marked[i].text : ""});
  }
  return markers;
}

}  // namespace

std::vector<WaveFinding> wave_findings(const Results& results) {
  std::vector<WaveFinding> findings;
  if (results.deadlock) findings.push_back({results.deadlock->cycle, "deadlock", true});
  std::map<Cycle, std::vector<const ContentionEvent*>> by_cycle;
  for (const ContentionEvent& event : results.contention.list) {
    by_cycle[event.cycle].push_back(&event);
  }
  for (const auto& [cycle, events] : by_cycle) {
    std::string text = wave_text(events.front()->waiting) + " waits";
    if (events.size() > 1) text = std::to_string(events.size()) + " messages wait";
    findings.push_back({cycle, text, false});
  }
  return findings;
}

WaveCompanions wave_companions(const std::string& wave) {
  const std::string name = wave.substr(0, wave.rfind('.'));
  return {name + ".flits.txt", name + ".messages.txt", name + ".gtkw"};
}

void write_gtkw(const WaveRecorder& recorder, const std::vector<WaveFinding>& findings) {
  const WaveCompanions files = wave_companions(recorder.path());
  write_file(files.flits, [](std::ostream& out) { write_flit_translation(out); });
  write_file(files.messages, [&](std::ostream& out) {
    write_message_translation(out, recorder.messages(), recorder.name());
  });
  write_file(files.save, [&](std::ostream& out) {
    GtkwWriter writer(out, without_folder(files.flits), without_folder(files.messages));
    writer.write_header(without_folder(files.save), without_folder(recorder.path()),
                        recorder.first(), recorder.last() + 1,
                        markers_of(findings, recorder.first(), recorder.last()));
    const Fabric& fabric = recorder.fabric();
    for (const ShownRouter& router : select_routers(recorder.activity(), fabric.config())) {
      write_router(writer, fabric, router);
    }
  });
}

void finish_wave(WaveRecorder& recorder, const Results& results) {
  Cycle end = std::max(results.cycles, recorder.fabric().cycle());
  if (results.deadlock) end = std::max(end, results.deadlock->cycle);
  recorder.finish(end);
  std::vector<WaveFinding> findings = wave_findings(results);
  if (const std::optional<Cycle> cycle = recorder.difference()) {
    findings.push_back({*cycle, "twins differ", true, true});
  }
  write_gtkw(recorder, findings);
}

}  // namespace allport
