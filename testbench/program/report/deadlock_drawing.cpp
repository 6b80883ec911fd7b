// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/deadlock_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <vector>

#include "rtl_model/base/child_pool.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/report/deadlock_report.h"

namespace allport {

namespace {

constexpr const char* red = "#c0392b";
constexpr const char* grey = "#666666";

bool is_for_processor(const WaitEdge& wait) { return wait.waits_for == "processor"; }

bool is_for_lost_credit(const WaitEdge& wait) { return wait.waits_for == "lost"; }

bool is_behind_itself(const WaitEdge& wait, const WaitingFlit& flit) {
  const bool ends = is_for_processor(wait) || is_for_lost_credit(wait);
  return !wait.is_in_cycle && !ends && wait.held_by == flit.message;
}

// None of its waits leads elsewhere: it stands behind its own worm.
bool follows_itself(const WaitingFlit& flit) {
  return std::all_of(flit.waits.begin(), flit.waits.end(),
                     [&](const WaitEdge& wait) { return is_behind_itself(wait, flit); });
}

// Words within the quotes of a label: the names of a graph's nodes may have quotes and backslashes.
std::string in_label(const std::string& words) {
  std::string text;
  for (const char letter : words) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;
  }
  return text;
}

class Drawing {
 public:
  Drawing(const Deadlock& deadlock, const RunPlan& plan)
      : deadlock_(deadlock), router_(plan.router), topology_(plan.routing.topology()) {
    add_title();
    for (std::size_t i = 0; i < deadlock.messages.size(); ++i) add_message(i);
    for (std::size_t i = 0; i < deadlock.flits.size(); ++i) {
      if (!follows_itself(deadlock.flits[i])) add_flit(i);
    }
    text_ += "}\n";
  }
  std::string take() { return std::move(text_); }

 private:
  void add_title();
  std::string label_of(const MessageName& name) const;
  std::string reason_text() const;
  void add_message(std::size_t number);
  void add_flit(std::size_t number);
  void add_wait(std::size_t number, const WaitEdge& wait);
  std::string place_text(const WaitingFlit& flit) const;
  std::string wait_text(const WaitingFlit& flit, const WaitEdge& wait) const;
  std::string box_text(const WaitingFlit& flit) const;
  std::size_t number_of(const MessageName& name) const;
  bool is_in_circle(const MessageName& name) const;

  const Deadlock& deadlock_;
  const RouterConfig& router_;
  const Topology& topology_;
  std::set<NodeId> processors_;  // those that are drawn
  std::string text_;
};

std::string Drawing::label_of(const MessageName& name) const {
  const std::string words = in_label(in_words(name, topology_));
  const bool is_told_apart = name.order == 0 || name.join;
  return is_told_apart ? words
                       : fmt::format("{} (message {} of this sender)", words, name.order + 1);
}

// Where there is no circle, who keeps the others waiting.
std::string Drawing::reason_text() const {
  if (!deadlock_.waits.empty()) return "red: the circle of waits";
  constexpr std::size_t most_lines = 8;
  const std::vector<std::string> lines = circle_in_words(deadlock_, router_, topology_);
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < most_lines; ++i) {
    text += (i == 0 ? "" : "\\n") + in_label(lines[i]);
  }
  if (lines.size() > most_lines) {
    text += fmt::format("\\nand {} more", lines.size() - most_lines);
  }
  return text;
}

void Drawing::add_title() {
  const auto hidden = std::count_if(deadlock_.flits.begin(), deadlock_.flits.end(), follows_itself);
  text_ = fmt::format(
      "digraph deadlock {{\n"
      "  graph [label=\"Deadlock in cycle {} on {}, {} virtual channel{}, buffers of {} flit{}\\n"
      "{}; double border: a flit being copied, waits for all its arrows at once{}\\n \", labelloc=t, fontsize=16, rankdir=LR, nodesep=0.35, ranksep=0.9];\n"
      "  graph [fontname=\"Helvetica\"]; node [fontname=\"Helvetica\", fontsize=13]; edge [fontname=\"Helvetica\", fontsize=11];\n",
      deadlock_.cycle, in_label(topology_.name()), router_.vcs, router_.vcs == 1 ? "" : "s",
      router_.buffer_depth, router_.buffer_depth == 1 ? "" : "s", reason_text(),
      hidden == 0 ? ""
                  : fmt::format("\\nnot drawn: {} that only wait{} for {} own worm ahead", hidden,
                                hidden == 1 ? "s" : "", hidden == 1 ? "its" : "their"));
}

void Drawing::add_message(std::size_t number) {
  const MessageName& name = deadlock_.messages[number];
  text_ += fmt::format(
      "  m{} [label=\"{}\", shape=ellipse, style=filled, {}];\n", number, label_of(name),
      is_in_circle(name) ? fmt::format(R"(fillcolor="#fdebd0", color="{}", penwidth=2.5)", red)
                         : std::string("fillcolor=\"#eeeeee\""));
}

std::string Drawing::place_text(const WaitingFlit& flit) const {
  return (flit.is_queued ? "queue of " : "") +
         in_label(input_in_words(topology_, flit.input, vc_among(router_.vcs, flit.vc)));
}

std::string Drawing::box_text(const WaitingFlit& flit) const {
  std::string text = place_text(flit);
  for (const PortId port : flit.taken) {
    text +=
        fmt::format("\\nsent by {}", in_label(output_in_words(topology_, {flit.input.node, port})));
  }
  for (const WaitEdge& wait : flit.waits) {
    if (!is_behind_itself(wait, flit)) continue;
    text +=
        fmt::format("\\n{}: own worm ahead", in_label(output_in_words(topology_, wait.channel)));
  }
  return text;
}

void Drawing::add_flit(std::size_t number) {
  const WaitingFlit& flit = deadlock_.flits[number];
  const bool is_red = std::any_of(flit.waits.begin(), flit.waits.end(),
                                  [](const WaitEdge& wait) { return wait.is_in_cycle; });
  text_ += fmt::format("  f{} [label=\"{}\", shape=box{}{}];\n", number, box_text(flit),
                       is_copied(flit) ? ", peripheries=2" : "",
                       is_red ? fmt::format(", color=\"{}\"", red) : std::string());
  text_ += fmt::format("  m{} -> f{} [arrowhead=none, color=\"{}\"{}];\n", number_of(flit.message),
                       number, is_red ? red : grey, is_red ? ", penwidth=2.5" : ", style=dotted");
  for (const WaitEdge& wait : flit.waits) {
    if (!is_behind_itself(wait, flit)) add_wait(number, wait);
  }
}

std::string Drawing::wait_text(const WaitingFlit& flit, const WaitEdge& wait) const {
  if (wait.waits_for == "buffer") return flit.is_queued ? "its turn" : "its turn in the buffer";
  if (wait.waits_for == "join") {
    return "its turn at " + in_label(input_in_words(topology_, wait.channel));
  }
  if (flit.is_queued) return "a credit";
  const std::string output =
      in_label(output_in_words(topology_, wait.channel, vc_among(router_.vcs, wait.vc)));
  return wait.waits_for == "vc" ? output : "a credit of " + output;
}

void Drawing::add_wait(std::size_t number, const WaitEdge& wait) {
  if (is_for_processor(wait)) {
    if (processors_.insert(wait.channel.node).second) {
      text_ += fmt::format("  p{} [label=\"processor of node {}\", shape=ellipse, style=dashed];\n",
                           topology_.number_of(wait.channel.node),
                           in_label(topology_.node_name(wait.channel.node)));
    }
    text_ += fmt::format(
        "  f{1} -> p{0} [label=\"its contribution\\nsince cycle {2}\", color=\"{3}\", fontcolor=\"{3}\"];\n",
        topology_.number_of(wait.channel.node), number, wait.since, grey);
    return;
  }
  if (is_for_lost_credit(wait)) {
    text_ += fmt::format(
        "  c{0} [label=\"lost credit\", shape=ellipse, style=dashed];\n"
        "  f{0} -> c{0} [label=\"{1}\\nsince cycle {2}\", color=\"{3}\", fontcolor=\"{3}\"];\n",
        number, wait_text(deadlock_.flits[number], wait), wait.since, grey);
    return;
  }
  text_ += fmt::format(
      "  f{} -> m{} [label=\"{}\\nsince cycle {}\", {}];\n", number, number_of(wait.held_by),
      wait_text(deadlock_.flits[number], wait), wait.since,
      wait.is_in_cycle ? fmt::format(R"(color="{0}", fontcolor="{0}", penwidth=2.5)", red)
                       : fmt::format(R"(color="{0}", fontcolor="{0}")", grey));
}

std::size_t Drawing::number_of(const MessageName& name) const {
  const auto found = std::find_if(deadlock_.messages.begin(), deadlock_.messages.end(),
                                  [&](const MessageName& one) { return one == name; });
  return static_cast<std::size_t>(found - deadlock_.messages.begin());
}

bool Drawing::is_in_circle(const MessageName& name) const {
  return std::any_of(deadlock_.waits.begin(), deadlock_.waits.end(),
                     [&](const DeadlockWait& wait) { return wait.message == name; });
}

}  // namespace

std::string deadlock_graph(const Deadlock& deadlock, const RunPlan& plan) {
  return Drawing(deadlock, plan).take();
}

DeadlockDrawing::DeadlockDrawing(const std::string& path) {
  if (path.empty()) return;
  const std::string ending = std::filesystem::path(path).extension().string();
  graph_ = deadlock_graph_file(path);
  if (ending == ".svg" || ending == ".png") {
    format_ = ending.substr(1);
    picture_ = path;
  } else if (ending != ".dot" && ending != ".gv") {
    throw std::invalid_argument(
        fmt::format("--deadlock {}: must end in .dot, .gv, .svg or .png", shown_path(path)));
  }
  if (!picture_.empty() && run_and_wait("dot", {"-V"}).exit != 0) {
    throw std::invalid_argument(fmt::format(
        "--deadlock {}: pictures need Graphviz's dot, which is not installed; a .dot file does not",
        shown_path(path)));
  }
  if (!picture_.empty()) picture_file_.emplace(picture_);
  graph_file_.emplace(graph_);
}

void DeadlockDrawing::commit(const Results& results, const RunPlan& plan) {
  if (!graph_file_ || !results.deadlock) return;
  graph_file_->commit(deadlock_graph(*results.deadlock, plan));
  if (!picture_file_) return;
  const ChildEnd end = run_and_wait("dot", {"-T" + format_, file_argument(graph_)});
  if (end.exit != 0 || end.out.empty()) {
    throw std::runtime_error(fmt::format("--deadlock: dot could not draw {}: {}",
                                         shown_path(graph_),
                                         end.err.substr(0, end.err.find('\n'))));
  }
  picture_file_->commit(end.out);
}

}  // namespace allport
