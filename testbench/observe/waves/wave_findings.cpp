// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/wave_findings.h"

#include <algorithm>
#include <optional>
#include <set>

#include "rtl_model/topology/channel_words.h"
#include "testbench/observe/monitors/deadlock_words.h"
#include "testbench/observe/waves/wave_names.h"

namespace allport {

namespace {

/// A wait in words.
struct WaitText {
  std::string waiting;
  std::string node;     // `router_2`
  std::string channel;  // `output_0`
  std::string vc;       // `vc_0`
  std::string holding;
  std::string name;  // `channel 2 -> 3 (+x)`

  std::string place() const {
    return name + ", held by " + holding + ": " + node + " " + channel + " " + vc;
  }
  std::string marker() const { return node + " " + channel + " held by " + holding; }
  std::string brief() const { return node + ": " + holding; }
};

// `cycle 3: 0>* #0 waits for channel 2 -> 3 (+x, VC 0), held by 2>* #0: router_2 output_0 vc_0`
std::string row_of(const WaitText& wait, Cycle first, const std::string& what) {
  return "cycle " + std::to_string(first) + ": " + wait.waiting + " waits " + what + wait.place();
}

bool is_earlier(const WaveFinding& a, const WaveFinding& b) { return a.cycle < b.cycle; }

WaveFinding finding_of(const DeadlockWait& wait, const WaitingFlit& flit,
                       const WaveRecorder& recorder) {
  const RouterConfig& config = recorder.fabric().config();
  const Topology& topology = recorder.fabric().routing().topology();
  const int port = static_cast<int>(index(wait.channel.port));
  const bool is_input = is_at_input(wait.waits_for) || flit.is_queued;
  const WaitText text{wave_text(wait.message),
                      router_scope(wait.channel.node),
                      is_input ? input_scope(config, port) : output_scope(config, port),
                      vc_scope(wait.vc),
                      wave_text(wait.held_by),
                      is_input ? input_in_words(topology, wait.channel, wait.vc)
                               : output_in_words(topology, wait.channel, wait.vc)};
  WaveFinding finding{wait.since, text.marker(), true};
  finding.brief = text.brief();
  finding.row = row_of(text, wait.since, wait.waits_for == "credit" ? "for a credit of " : "for ");
  const int input = static_cast<int>(index(flit.input.port));
  finding.place =
      CirclePlace{flit.input.node, config.channel_vc(input, flit.vc), is_input ? -1 : port};
  return finding;
}

void add_deadlock(const Deadlock& deadlock, const WaveRecorder& recorder, WaveFindings& findings) {
  for (const DeadlockWait& wait : deadlock.waits) {
    findings.list.push_back(finding_of(wait, deadlock.flits[wait.flit], recorder));
  }
  std::stable_sort(findings.list.begin(), findings.list.end(), is_earlier);
  WaveFinding end{deadlock.cycle, "deadlock", true};
  end.row = "deadlock in cycle " + std::to_string(deadlock.cycle) +
            (deadlock.waits.empty()       ? std::string(": ") + reason_in_words(deadlock)
             : deadlock.waits.size() == 1 ? ": the message waits for itself"
                                          : ": each message of the circle waits for the next");
  findings.list.push_back(end);
}

/// A wait at the router of `node`.
struct PlacedWait {
  NodeId node;
  const WaveWait* wait;
};

WaveFinding finding_of(const PlacedWait& placed, const WaveRecorder& recorder) {
  const WaveWait& wait = *placed.wait;
  const MessageNames& name = recorder.name();
  const Channel channel{placed.node, port_id(static_cast<std::size_t>(wait.output))};
  const WaitText text{wave_text(name(wait.waiting)),
                      router_scope(placed.node),
                      output_scope(recorder.fabric().config(), wait.output),
                      vc_scope(wait.vc),
                      wave_text(name(wait.holding)),
                      output_in_words(recorder.fabric().routing().topology(), channel, wait.vc)};
  WaveFinding finding{wait.first, text.marker(), false};
  finding.brief = text.brief();
  const char* cycles = wait.cycles == 1 ? " cycle for " : " cycles for ";
  finding.row = row_of(text, wait.first, std::to_string(wait.cycles) + cycles);
  return finding;
}

// Whether the deadlock's circle contains this wait already.
bool is_in_circle(const PlacedWait& placed, const MessageNames& name,
                  const std::optional<Deadlock>& deadlock) {
  const auto is_it = [&](const DeadlockWait& wait) {
    return wait.waits_for == "vc" && wait.channel.node == placed.node &&
           static_cast<int>(index(wait.channel.port)) == placed.wait->output &&
           wait.vc == placed.wait->vc && wait.message == name(placed.wait->waiting) &&
           wait.held_by == name(placed.wait->holding);
  };
  return deadlock && std::any_of(deadlock->waits.begin(), deadlock->waits.end(), is_it);
}

// Whether this is the wait of the focus.
bool is_focus(const PlacedWait& placed, const MessageNames& name,
              const std::optional<WaveFocus>& focus) {
  if (!focus || !focus->contention) return false;
  const ContentionEvent& event = *focus->contention;
  return event.channel.node == placed.node &&
         static_cast<int>(index(event.channel.port)) == placed.wait->output &&
         event.waiting == name(placed.wait->waiting) && event.holding == name(placed.wait->holding);
}

// Its marker has its name, and stays however many other cycles have findings.
WaveFinding focused(WaveFinding finding, const WaveFocus& focus) {
  finding.cycle = focus.cycle;
  finding.text = focus.text;
  finding.brief.clear();
  finding.is_end = true;
  finding.has_text = true;
  return finding;
}

WaveFinding finding_of(const WaveFocus& message) {
  WaveFinding finding;
  finding.row = message.row;
  return focused(finding, message);
}

// Its row: `cycle 2: a flit of 0>6 #0 is in error on channel 0 -> 4`.
WaveFinding finding_of(const WaveRecorder::Error& error, const WaveRecorder& recorder) {
  const std::string node = router_scope(error.channel.node);
  const std::string output =
      output_scope(recorder.fabric().config(), static_cast<int>(index(error.channel.port)));
  WaveFinding finding{error.cycle, "error on " + node + " " + output, false};
  finding.brief = "error";
  finding.row = "cycle " + std::to_string(error.cycle) + ": a flit of " +
                wave_text(recorder.name()(error.message)) + " is in error on " +
                output_in_words(recorder.fabric().routing().topology(), error.channel) + ": " +
                node + " " + output;
  return finding;
}

}  // namespace

WaveFindings wave_findings(const WaveRecorder& recorder, const Results& results,
                           const std::optional<WaveFocus>& focus) {
  WaveFindings findings;
  if (results.deadlock) add_deadlock(*results.deadlock, recorder, findings);
  const std::vector<RouterActivity> routers = recorder.activity();
  std::vector<PlacedWait> waits;
  for (const RouterActivity& router : routers) {
    for (const WaveWait& wait : router.waits) waits.push_back({router.node, &wait});
  }
  std::stable_sort(waits.begin(), waits.end(), [](const PlacedWait& a, const PlacedWait& b) {
    return a.wait->first < b.wait->first;
  });
  if (focus && !focus->contention) {
    findings.list.insert(findings.list.begin(), finding_of(*focus));
  }
  std::set<Cycle> cycles;
  const auto has_room = [&](Cycle cycle) {
    cycles.insert(cycle);
    return cycles.size() <= WaveFindings::max_cycles;
  };
  for (const WaveRecorder::Error& error : recorder.errors()) {
    if (has_room(error.cycle)) {
      findings.list.push_back(finding_of(error, recorder));
    } else {
      ++findings.later;
    }
  }
  for (const PlacedWait& placed : waits) {
    if (is_focus(placed, recorder.name(), focus)) {
      findings.list.insert(findings.list.begin(), focused(finding_of(placed, recorder), *focus));
      continue;
    }
    if (is_in_circle(placed, recorder.name(), results.deadlock)) continue;
    if (has_room(placed.wait->first)) {
      findings.list.push_back(finding_of(placed, recorder));
    } else {
      ++findings.later;
    }
  }
  return findings;
}

void mark_focus(const WaveFocus& focus, std::vector<RouterActivity>& routers) {
  if (!focus.contention) return;
  for (RouterActivity& router : routers) {
    router.has_focus = router.node == focus.contention->channel.node;
  }
}

void mark_circle(const WaveFindings& findings, std::vector<RouterActivity>& routers) {
  for (const WaveFinding& finding : findings.list) {
    if (!finding.place) continue;
    for (RouterActivity& router : routers) {
      if (router.node != finding.place->node) continue;
      const bool is_first = router.circle_since < 0 || finding.cycle < router.circle_since;
      if (is_first) router.circle_since = finding.cycle;
      router.has_waited[static_cast<std::size_t>(finding.place->input_vc)] = true;
      if (finding.place->output >= 0) {
        router.circle_outputs |= PortMask{1} << finding.place->output;
      }
    }
  }
}

}  // namespace allport
