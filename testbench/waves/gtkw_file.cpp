// SPDX-License-Identifier: Apache-2.0
#include "testbench/waves/gtkw_file.h"

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>

#include "testbench/files/output_file.h"
#include "testbench/files/whole_file.h"
#include "testbench/waves/gtkw_writer.h"
#include "testbench/waves/router_traces.h"
#include "testbench/waves/wave_names.h"
#include "testbench/waves/wave_selection.h"
#include "testbench/waves/wave_translation.h"

namespace allport {

namespace {

std::string without_folder(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  std::ostringstream text;
  write(text);
  const std::string target = end_of_links(path);
  write_whole(folder_of(target), target, text.str());
}

bool is_earlier(const WaveFinding& a, const WaveFinding& b) { return a.cycle < b.cycle; }

// All findings of the window, as far as there are markers; else, beside what the run ended with,
// the first one of each equal part of the window, so that they are spread over it.
std::vector<WaveFinding> chosen(const std::vector<WaveFinding>& findings, Cycle first, Cycle last) {
  std::vector<WaveFinding> seen;
  for (const WaveFinding& finding : findings) {
    if (finding.cycle >= first && finding.cycle <= last) seen.push_back(finding);
  }
  std::stable_sort(seen.begin(), seen.end(), is_earlier);
  if (seen.size() <= GtkwWriter::max_markers) return seen;
  const auto is_end = [](const WaveFinding& finding) { return finding.is_end; };
  const auto others = std::stable_partition(seen.begin(), seen.end(), is_end);
  std::vector<WaveFinding> spread(seen.begin(), others);
  const std::size_t kept = std::min(spread.size(), GtkwWriter::max_markers - 1);
  spread.erase(spread.begin(), spread.end() - static_cast<std::ptrdiff_t>(kept));
  const auto parts = static_cast<Cycle>(GtkwWriter::max_markers - kept);
  Cycle part = -1;
  for (auto finding = others; finding != seen.end(); ++finding) {
    const Cycle its_part = (finding->cycle - first) * parts / (last - first + 1);
    if (its_part != part) spread.push_back(*finding);
    part = its_part;
  }
  std::stable_sort(spread.begin(), spread.end(), is_earlier);
  return spread;
}

// Markers with text where it does not run into the next one's.
std::vector<GtkwMarker> markers_of(const std::vector<WaveFinding>& marked, Cycle first,
                                   Cycle last) {
  const Cycle needed = (last - first + 1) / 9;
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

void write_notes(GtkwWriter& writer, const std::vector<WaveFinding>& marked) {
  for (std::size_t i = 0; i < marked.size(); ++i) {
    for (const std::string& note : marked[i].notes) {
      writer.add_comment(std::string(1, static_cast<char>('A' + i)) + "  " + note);
    }
  }
}

// `cycle 3: 0>* #0 waits for output_1 vc_0 of router_2, held by 2>* #0`
std::string note_on(const DeadlockWait& wait, const RouterConfig& config) {
  const int port = static_cast<int>(index(wait.channel.port));
  const std::string scope =
      wait.waits_for == "buffer" ? input_scope(config, port) : output_scope(config, port);
  return "cycle " + std::to_string(wait.since) + ": " + wave_text(wait.message) + " waits for " +
         (wait.waits_for == "credit" ? "a credit of " : "") + scope + " " + vc_scope(wait.vc) +
         " of " + router_scope(wait.channel.node) + ", held by " + wave_text(wait.held_by);
}

// A marker for each wait of the circle, those of one cycle together.
std::map<Cycle, WaveFinding> circle_of(const Deadlock& deadlock, const RouterConfig& config) {
  std::map<Cycle, WaveFinding> circle;
  for (const DeadlockWait& wait : deadlock.waits) {
    WaveFinding& finding = circle[wait.since];
    finding.cycle = wait.since;
    finding.is_end = true;
    finding.notes.push_back(note_on(wait, config));
    finding.text = wave_text(wait.message) + " waits";
    if (finding.notes.size() > 1) finding.text = std::to_string(finding.notes.size()) + " wait";
  }
  return circle;
}

}  // namespace

std::vector<WaveFinding> wave_findings(const Results& results, const RouterConfig& config) {
  std::vector<WaveFinding> findings;
  std::map<Cycle, WaveFinding> circle;
  if (results.deadlock) {
    circle = circle_of(*results.deadlock, config);
    findings.push_back({results.deadlock->cycle, "deadlock", true});
    findings.back().notes.push_back("deadlock in cycle " + std::to_string(results.deadlock->cycle) +
                                    (results.deadlock->waits.size() == 1
                                         ? ": the message waits for itself"
                                         : ": each message of the circle waits for the next"));
  }
  std::map<Cycle, std::vector<const ContentionEvent*>> by_cycle;
  for (const ContentionEvent& event : results.contention.list) {
    if (circle.count(event.cycle) == 0) by_cycle[event.cycle].push_back(&event);
  }
  for (auto& [cycle, finding] : circle) findings.push_back(std::move(finding));
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
  const std::vector<WaveFinding> marked = chosen(findings, recorder.first(), recorder.last());
  write_file(files.save, [&](std::ostream& out) {
    GtkwWriter writer(out, without_folder(files.flits), without_folder(files.messages));
    writer.write_header(without_folder(files.save), without_folder(recorder.path()),
                        recorder.first(), recorder.last() + 1,
                        markers_of(marked, recorder.first(), recorder.last()));
    write_notes(writer, marked);
    const Fabric& fabric = recorder.fabric();
    write_switching(writer, fabric);
    for (const ShownRouter& router : select_routers(recorder.activity(), fabric.config())) {
      write_router(writer, fabric, router);
    }
  });
}

void finish_wave(WaveRecorder& recorder, const Results& results) {
  Cycle end = std::max(results.cycles, recorder.fabric().cycle());
  if (results.deadlock) end = std::max(end, results.deadlock->cycle);
  recorder.finish(end);
  std::vector<WaveFinding> findings = wave_findings(results, recorder.fabric().config());
  if (const std::optional<Cycle> cycle = recorder.difference()) {
    findings.push_back({*cycle, "twins differ", true, true});
  }
  write_gtkw(recorder, findings);
}

}  // namespace allport
