// SPDX-License-Identifier: Apache-2.0
#include "testbench/waves/gtkw_file.h"

#include <algorithm>
#include <functional>
#include <sstream>

#include "testbench/files/output_file.h"
#include "testbench/files/whole_file.h"
#include "testbench/waves/gtkw_findings.h"
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
  std::ostringstream text;
  write(text);
  const std::string target = end_of_links(path);
  write_whole(folder_of(target), target, text.str());
}

}  // namespace

WaveCompanions wave_companions(const std::string& wave) {
  const std::string name = wave.substr(0, wave.rfind('.'));
  return {name + ".flits.txt", name + ".messages.txt", name + ".gtkw"};
}

void write_gtkw(const WaveRecorder& recorder, const WaveFindings& findings,
                const std::optional<WaveFocus>& focus) {
  const WaveCompanions files = wave_companions(recorder.path());
  write_file(files.flits, [](std::ostream& out) { write_flit_translation(out); });
  write_file(files.messages, [&](std::ostream& out) {
    write_message_translation(out, recorder.messages(), recorder.name());
  });
  const GtkwFindings found(findings, recorder.first(), recorder.last());
  std::vector<RouterActivity> routers = recorder.activity();
  mark_circle(findings, routers);
  if (focus) mark_focus(*focus, routers);
  write_file(files.save, [&](std::ostream& out) {
    GtkwWriter writer(out, without_folder(files.flits), without_folder(files.messages));
    writer.write_header({without_folder(files.save), without_folder(recorder.path()),
                         recorder.first(), recorder.last() + 1, found.width()},
                        found.markers());
    found.write(writer);
    const Fabric& fabric = recorder.fabric();
    const int lines_above = found.lines() + write_switching(writer, fabric);
    for (const ShownRouter& router : select_routers(routers, fabric.config(), lines_above)) {
      write_router(writer, fabric, router);
    }
  });
}

void finish_wave(WaveRecorder& recorder, const Results& results,
                 const std::optional<WaveFocus>& focus) {
  Cycle end = std::max(results.cycles, recorder.fabric().cycle());
  if (results.deadlock) end = std::max(end, results.deadlock->cycle);
  recorder.finish(end);
  WaveFindings findings = wave_findings(recorder, results, focus);
  if (const std::optional<Cycle> cycle = recorder.difference()) {
    findings.list.push_back({*cycle, "twins differ", true, true});
  }
  write_gtkw(recorder, findings, focus);
}

}  // namespace allport
