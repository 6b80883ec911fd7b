// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/program/report/results_json.h"

namespace allport {

namespace {

constexpr std::size_t most_shown = 3;

template <Finding ScheduleReport::*finding>
constexpr NamedCheck of_report(std::string_view name, std::string_view meaning,
                               bool (*is_judged)(const ScheduleReport&)) {
  return {name, meaning, [](const ScheduleReport& report) { return (report.*finding).ok(); },
          is_judged, [](const ScheduleReport& report) { return &(report.*finding); }};
}

template <Finding WormFindings::*finding>
const Finding* of_worms(const ScheduleReport& report) {
  return report.worms ? &((*report.worms).*finding) : nullptr;
}

template <Finding WormFindings::*finding>
bool holds_for_worms(const ScheduleReport& report) {
  return !report.worms || ((*report.worms).*finding).ok();
}

bool always(const ScheduleReport&) { return true; }
bool judges_unicasts(const ScheduleReport& report) { return report.judges_unicasts(); }
bool judges_worms(const ScheduleReport& report) { return report.worms.has_value(); }

bool has_no_deadlock(const ScheduleReport& report) {
  return !report.worms || (report.worms->circle.empty() && report.worms->joins.ok());
}

const Finding* no_finding(const ScheduleReport&) { return nullptr; }

std::string line(std::string_view label, const std::string& words, const Style& style) {
  return style.label(fmt::format("{:<14}", label)) + words + "\n";
}

std::string indented(const std::string& words) { return std::string(14, ' ') + words + "\n"; }

std::string first_of(const std::vector<std::string>& sentences, std::size_t most, bool has_more) {
  std::string text;
  const std::size_t shown = std::min(sentences.size(), most);
  for (std::size_t i = 0; i < shown; ++i) text += indented(sentences[i]);
  return has_more || shown < sentences.size() ? text + indented("..") : text;
}

std::string found(const Finding& finding, const Schedule& messages, const Topology& topology) {
  std::vector<std::string> sentences = finding.first;
  for (const PairViolation& pair : finding.pairs) {
    sentences.push_back(in_words(pair, messages, topology));
  }
  return first_of(sentences, most_shown, finding.violations > sentences.size());
}

std::string first_of(const Finding& finding, const BlockLevel& level) {
  return finding.first.empty() ? in_words(finding.pairs.front(), level.schedule, *level.topology)
                               : finding.first.front();
}

std::string held(std::string_view label, std::string_view meaning, const Style& style) {
  return line(label, style.good("holds  ") + std::string(meaning), style);
}

std::string failed(std::string_view label, std::string_view meaning, const Finding* finding,
                   const Style& style) {
  std::string words = style.bad("fails  ") + std::string(meaning);
  if (finding != nullptr) {
    words += fmt::format(": {}{}", finding->is_truncated ? "at least " : "",
                         counted(finding->violations, "violation"));
  }
  return line(label, words, style);
}

bool is_required(const NamedCheck& check, const std::vector<std::string>& required) {
  return required.empty() ||
         std::find(required.begin(), required.end(), check.name) != required.end();
}

}  // namespace

const std::vector<NamedCheck>& named_checks() {
  static const std::vector<NamedCheck> checks{
      of_report<&ScheduleReport::exactly_once>(
          "exactly_once", "every destination receives once, no other node twice", always),
      of_report<&ScheduleReport::causality>(
          "causality", "nobody sends before the step after its reception", always),
      of_report<&ScheduleReport::port_rule>("port_rule",
                                            "no injection port is used twice in a step", always),
      of_report<&ScheduleReport::routes_valid>("routes_valid", "nodes and ways exist", always),
      of_report<&ScheduleReport::stepwise>("stepwise", "messages of a step share no channel",
                                           judges_unicasts),
      of_report<&ScheduleReport::stepwise_vc>(
          "stepwise_vc", "nor do they share a class of its virtual channels", judges_unicasts),
      of_report<&ScheduleReport::definition4>(
          "definition4", "who shares a channel is ordered by steps and by descent [Robinson93]",
          judges_unicasts),
      of_report<&ScheduleReport::theorem1>(
          "theorem1", "no two messages can meet, however late any is [Hou98]", judges_unicasts),
      of_report<&ScheduleReport::collective>(
          "collective", "everybody receives what is due, from a node that has it", always),
      {"contention", "no two messages can meet, by their routes",
       holds_for_worms<&WormFindings::contention>, judges_worms,
       of_worms<&WormFindings::contention>},
      {"joins", "contributions to joins are there, and in order",
       holds_for_worms<&WormFindings::joins>, judges_worms, of_worms<&WormFindings::joins>},
      {"deadlock", "no messages can wait for one another in a circle", has_no_deadlock,
       judges_worms, no_finding}};
  return checks;
}

bool holds(const ScheduleReport& report, const std::vector<std::string>& required) {
  const std::vector<NamedCheck>& checks = named_checks();
  return std::all_of(checks.begin(), checks.end(), [&](const NamedCheck& check) {
    return !is_required(check, required) || check.holds(report);
  });
}

void require_judged(const ScheduleReport& report, const std::vector<std::string>& required) {
  for (const NamedCheck& check : named_checks()) {
    if (required.empty() || !is_required(check, required) || check.is_judged(report)) continue;
    throw std::invalid_argument(fmt::format(
        "--require {}: it judges {}", check.name,
        report.judges_unicasts()
            ? "worms of other kinds and several collectives; here theorem1 judges the contention of unicasts, which cannot deadlock"
            : "the unicasts of one collective only; require contention here"));
  }
}

std::string in_words(const PairViolation& pair, const Schedule& messages,
                     const Topology& topology) {
  return fmt::format("{} and {} may meet on {}", describe(messages.unicasts[pair.a], topology),
                     describe(messages.unicasts[pair.b], topology),
                     output_in_words(topology, pair.channel));
}

std::string in_words(const SymmetryProof& symmetry) {
  const char* moved = "moved along the dimensions";
  if (symmetry.shift == NodeShift::bits) moved = "with bits of all node numbers flipped";
  if (symmetry.shift == NodeShift::numbers) moved = "with all node numbers turned on";
  return fmt::format("{} of {} carried out; each of the others goes the way of one of these, {}",
                     symmetry.proved, counted(symmetry.blocks, "block"), moved);
}

std::vector<std::string> circle_in_words(const std::vector<WormWait>& circle,
                                         const Schedule& messages, const Topology& topology) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const WormWait& next = circle[(i + 1) % circle.size()];
    lines.push_back(fmt::format("{} may wait for {}, held by {}",
                                describe(messages.unicasts[circle[i].message], topology),
                                output_in_words(topology, circle[i].channel),
                                describe(messages.unicasts[next.message], topology)));
  }
  return lines;
}

std::string check_report(const ScheduleReport& report, const Schedule& messages,
                         const Topology& topology, const std::vector<std::string>& required,
                         const Style& style) {
  std::string text;
  std::string broken;
  for (const NamedCheck& check : named_checks()) {
    if (!check.is_judged(report)) continue;
    if (check.holds(report)) {
      text += held(check.name, check.meaning, style);
      continue;
    }
    if (is_required(check, required)) {
      broken += (broken.empty() ? "" : ", ") + std::string(check.name);
    }
    const Finding* const finding = check.finding(report);
    text += failed(check.name, check.meaning, finding, style);
    text += finding != nullptr ? found(*finding, messages, topology)
                               : first_of(circle_in_words(report.worms->circle, messages, topology),
                                          2 * most_shown, false);
  }
  if (report.symmetry) text += line("symmetry", in_words(*report.symmetry), style);
  if (!report.order_note.empty()) text += line("note", report.order_note, style);
  const std::string what = required.empty() ? "all of them hold" : "what is required holds";
  return text +
         line("verdict", broken.empty() ? style.good(what) : style.bad("fails: " + broken), style);
}

std::string chain_report(const std::optional<ChainBreak>& broken, const std::vector<NodeId>& chain,
                         const Routing& routing, const Style& style) {
  constexpr const char* label = "cube_ordered";
  constexpr const char* meaning =
      "the chain's nodes of every subcube are next to each other [Robinson93]";
  if (!broken) return held(label, meaning, style);
  return failed(label, meaning, nullptr, style) + indented(in_words(*broken, chain, routing));
}

Json chain_json(const std::optional<ChainBreak>& broken, const std::vector<NodeId>& chain,
                const Routing& routing) {
  Json json{{"ok", !broken.has_value()}, {"nodes", nullptr}, {"subcube", nullptr}};
  if (!broken) return json;
  json["nodes"] = nodes_json({chain[broken->first], chain[broken->between], chain[broken->last]},
                             routing.topology());
  json["subcube"] = subcube_of(*broken, chain, routing);
  return json;
}

std::string level_report(const BlockLevel& level, const std::vector<std::string>& required,
                         const Style& style) {
  const auto steps = static_cast<std::uint64_t>(level.schedule.steps());
  std::string words = fmt::format("level {}{}, {}: ", level.level,
                                  level.has_z_blocks ? " of Z_blocks" : "", counted(steps, "step"));
  std::string findings;
  for (const NamedCheck& check : named_checks()) {
    const bool is_told = check.name == "stepwise" || check.name == "theorem1";
    if (!check.is_judged(level.report) || (!is_told && check.holds(level.report))) continue;
    const Finding& finding = *check.finding(level.report);
    words += fmt::format("{}{} ", words.back() == ' ' ? "" : ", ", check.name);
    words += finding.ok() ? style.good("holds") : style.bad("fails");
    if (finding.ok()) continue;
    words += fmt::format(" ({}{})", finding.is_truncated ? "at least " : "",
                         counted(finding.violations, "violation"));
    if (!is_required(check, required)) continue;
    findings += indented(fmt::format("{}: {}", check.name, first_of(finding, level)));
  }
  return line(level.topology->name(), words, style) + findings;
}

Json level_json(const BlockLevel& level) {
  return {{"topology", level.topology->name()},
          {"level", level.level},
          {"z_blocks", level.has_z_blocks},
          {"steps", level.schedule.steps()},
          {"checks", check_json(level.report, level.schedule, *level.topology, {0})}};
}

std::string program_report(const Finding& faults, const Style& style) {
  constexpr const char* meaning = "its steps do what they are to do";
  if (faults.ok()) return held("program", meaning, style);
  return failed("program", meaning, &faults, style) +
         first_of(faults.first, most_shown, faults.violations > faults.first.size());
}

}  // namespace allport
