// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/gtkw_file.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <vector>

#include "testbench/files/output_file.h"
#include "testbench/files/whole_file.h"
#include "testbench/observe/waves/gtkw_findings.h"
#include "testbench/observe/waves/gtkw_writer.h"
#include "testbench/observe/waves/router_traces.h"
#include "testbench/observe/waves/wave_contention.h"
#include "testbench/observe/waves/wave_names.h"
#include "testbench/observe/waves/wave_selection.h"

namespace allport {

namespace {

// The translate-filter files beside a wave have a value in hexadecimal, as wide as its variable,
// and the text and colour that are shown for it.
std::string hex(std::uint64_t value, int width) {
  std::ostringstream text;
  text << std::hex << std::setfill('0') << std::setw((width + 3) / 4) << value;
  return text.str();
}

// The names of GTKWave's colours that are dark enough for white text.
constexpr std::array<const char*, 14> message_colours{
    "blue4",       "DarkGreen",  "firebrick4", "purple4",       "DeepSkyBlue4",
    "DarkOrange4", "SeaGreen4",  "magenta4",   "RoyalBlue3",    "OliveDrab4",
    "VioletRed4",  "turquoise4", "sienna4",    "DarkSlateBlue",
};
constexpr std::array<const char*, 6> load_colours{
    "gray19", "gray24", "gray34", "gray44", "gray49", "gray54",
};

// Writes kinds of flits, numbers of flits and of contending pairs, which differ in width.
void write_flit_translation(std::ostream& out) {
  const int kind = wave::flit.width;
  out << "# kind of a flit\n"
      << hex(0, kind) << " ?black? \n"
      << hex(1, kind) << " ?DarkGreen?head\n"
      << hex(2, kind) << " ?gray34?body\n"
      << hex(3, kind) << " ?firebrick4?tail\n"
      << hex(4, kind) << " ?purple4?single\n"
      << "# flits on the output channels of a router\n";
  const std::uint64_t most = (std::uint64_t{1} << wave::flits.width) - 1;
  for (std::uint64_t flits = 1; flits <= most; ++flits) {
    const std::size_t colour = std::min<std::size_t>(flits - 1, load_colours.size() - 1);
    out << hex(flits, wave::flits.width) << " ?" << load_colours[colour] << "?" << flits << "\n";
  }
  out << "# contending pairs of messages\n" << hex(0, wave::contention.width) << " ?black? \n";
  for (std::uint64_t pairs = 1; pairs <= most; ++pairs) {
    out << hex(pairs, wave::contention.width) << " ?red3?" << pairs << "\n";
  }
}

// Writes the names of `messages`, each with a colour by which it can be followed.
void write_message_translation(std::ostream& out, const std::vector<MessageId>& messages,
                               const MessageNames& name) {
  out << "# messages: source>destination #order in the source's program\n";
  for (const MessageId message : messages) {
    const auto number = static_cast<std::uint64_t>(message);
    out << hex(number, wave::message.width) << " ?"
        << message_colours[number % message_colours.size()] << "?" << wave_text(name(message))
        << "\n";
  }
}

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
  end_wave(recorder, end, results, focus);
}

void end_wave(WaveRecorder& recorder, Cycle end, const Results& results,
              const std::optional<WaveFocus>& focus) {
  recorder.finish(end);
  WaveFindings findings = wave_findings(recorder, results, focus);
  if (const std::optional<Cycle> cycle = recorder.difference()) {
    findings.list.push_back({*cycle, "twins differ", true, true});
  }
  write_gtkw(recorder, findings, focus);
}

}  // namespace allport
