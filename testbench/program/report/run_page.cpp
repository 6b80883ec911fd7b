// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/run_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/program/report/explain_words.h"
#include "testbench/program/report/lockstep_report.h"
#include "testbench/program/report/report.h"
#include "testbench/program/terminal/version.h"
#include "testbench/show/page/html.h"
#include "testbench/show/page/page.h"

namespace allport {

namespace {

constexpr std::size_t most_rows = 500;  // of a table

std::string of_cycles(Cycle part, Cycle whole) {
  return fmt::format("{:.1f} %", percentage(part, whole));
}

// `, the first 500 of 1234`
std::string cut_in_words(std::size_t rows) {
  return rows <= most_rows ? "" : fmt::format(", the first {} of {}", most_rows, rows);
}

class RunPage {
 public:
  RunPage(const RunPlan& plan, const SessionResults& session, const StaticVerdict& verdict,
          RunPageParts parts)
      : plan_(plan),
        session_(session),
        results_(session.results),
        explanation_(*session.results.explanation),
        verdict_(verdict),
        parts_(std::move(parts)) {}

  std::string take() {
    page_.title = fmt::format("{} on {}", title(), plan_.routing.topology().name());
    page_.command = parts_.command;
    page_.made_by = page_maker();
    add_results();
    if (explanation_.receipts > 0) add_sum();
    if (!parts_.trial.is_null()) add_pictures();
    if (explanation_.receipts > 0) add_places();
    if (!explanation_.unfinished.empty()) add_unfinished();
    add_contention();
    if (results_.traffic) add_histogram();
    add("parameters", "Parameters", parameter_table(parts_.run["config"]));
    add_data();
    return html_page(page_);
  }

 private:
  std::string title() const {
    const TrafficTable& traffic = plan_.request.traffic;
    if (traffic.algorithm != nullptr) return std::string(traffic.algorithm->name);
    if (plan_.tasks() != nullptr && traffic.schedule.empty()) {
      return traffic.tasks.empty() ? "Tasks" : shown_path(traffic.tasks);
    }
    if (!traffic.flows.empty()) return shown_path(traffic.flows);
    return traffic.pattern.empty() ? shown_path(traffic.schedule) : traffic.pattern;
  }

  void add(std::string id, std::string heading, std::string body) {
    page_.sections.push_back({std::move(id), std::move(heading), std::move(body)});
  }

  void add_results() {
    const Style plain(false);
    std::string text = report_of_results(plan_, results_, plain) +
                       report_of_verdict(plan_, results_, verdict_, plain);
    if (session_.lockstep) text += lockstep_report(*session_.lockstep, plain);
    text += report_of_time(plan_, results_, verdict_, plain);
    add("results", "Results",
        (parts_.problem.empty() ? "" : html_words(parts_.problem)) + html_lines(text));
  }

  void add_sum() {
    const CauseSum& sum = explanation_.causes;
    std::string body = html_picture(
        "sums", "Every cycle of a latency has one cause; the causes of a message sum to it.");
    HtmlTable table("causes",
                    fmt::format("The cycles of {} by cause, {} in all",
                                counted(explanation_.receipts, "received message"), sum.total()),
                    {"cause", "cycles", "share", "meaning"});
    for (const Cause cause : causes()) {
      if (sum[cause] == 0) continue;
      table.add({to_string(cause), std::to_string(sum[cause]), of_cycles(sum[cause], sum.total()),
                 row_of(cause).meaning});
    }
    table.add({"contended", std::to_string(sum.contended), of_cycles(sum.contended, sum.total()),
               "another message is in the way; these cycles are among those above"});
    body += table.take() + "<h3>What follows</h3>\n<ul>\n";
    for (const std::string& sentence : explanation_findings(plan_, results_)) {
      body += "<li>" + html_text(sentence) + "</li>\n";
    }
    add("sum", "Where the cycles go", body + "</ul>\n" + roots());
  }

  std::string roots() const {
    if (explanation_.roots.empty()) return "";
    using Root = const RootShare&;
    const Cycle contended = explanation_.causes.contended;
    const std::vector<TableColumn<RootShare>> columns{
        {{"cause"}, [](Root root) { return to_string(root.cause); }},
        {{"place"}, [&](Root root) { return in_words(plan_, root.resource, true); }},
        {{"cycles"}, [](Root root) { return std::to_string(root.cycles); }},
        {{"share"}, [&](Root root) { return of_cycles(root.cycles, contended); }}};
    return html_table("roots",
                      fmt::format("What the {} of waiting for others come from{}",
                                  counted(static_cast<std::uint64_t>(contended), "cycle"),
                                  cut_in_words(explanation_.roots.size())),
                      columns, explanation_.roots, most_rows);
  }

  void add_pictures() {
    const std::size_t trials = results_.trials.size();
    const std::string which =
        trials > 1 ? fmt::format(" This is the last of {} trials.", trials) : "";
    add("channels", "The fabric over time",
        html_picture("fabric", "The channels in the cycles that the slider chooses." + which) +
            "<h3>Who waits for whom</h3>\n" +
            html_picture("tree", "The congestion tree of a cycle of that time."));
    const std::size_t shown = parts_.trial["messages"].size();
    if (shown == 0) return;
    const auto received = parts_.trial["received"].get<std::size_t>();
    const bool is_cut = shown < received;
    const std::string words =
        is_cut ? fmt::format("The slowest {} of {}.", shown, counted(received, "message"))
               : fmt::format("All {}.", counted(shown, "message"));
    add("over-time", "Messages over time", html_picture("messages", words + which) + path());
  }

  std::string path() const {
    if (explanation_.path.empty()) return "";
    Cycle total = 0;
    for (const PathMessage& message : explanation_.path) total += message.account.causes.total();
    HtmlTable table("path",
                    fmt::format("The critical path: {} of {}",
                                counted(static_cast<std::uint64_t>(total), "cycle"),
                                counted(explanation_.path.size(), "message")),
                    {"message", "from cycle", "cycles", "cause", "place", "because of"});
    for (const PathMessage& message : explanation_.path) {
      const MessageAccount& account = message.account;
      const std::string name = name_in_words(account, topology());
      for (const PathStretch& one : message.stretches) {
        table.add({name, std::to_string(one.first), std::to_string(one.cycles),
                   to_string(one.cause), in_words(plan_, one.resource, true),
                   one.blamed ? name_in_words(*one.blamed, topology()) : ""});
      }
    }
    return table.take();
  }

  void add_places() { add("places", "Channels and sources", waits() + sources()); }

  std::string waits() const {
    const std::vector<ChannelWaits>& channels = explanation_.by_channel;
    if (channels.empty()) return "";
    using Waits = const ChannelWaits&;
    const std::vector<TableColumn<ChannelWaits>> columns{
        {{"place"}, [&](Waits one) { return in_words(plan_, one.resource, false); }},
        {{"cycles"}, [](Waits one) { return std::to_string(one.causes.total()); }},
        {{"blamed"}, [](Waits one) { return std::to_string(one.causes.contended); }},
        {{"causes"}, [](Waits one) { return causes_in_words(one.causes); }}};
    return html_table("waits", "Channels that were waited for" + cut_in_words(channels.size()),
                      columns, channels, most_rows);
  }

  std::string sources() const {
    const std::vector<SourceWaits>& sources = explanation_.by_source;
    using Waits = const SourceWaits&;
    const auto mean = [](Waits one) {
      return static_cast<double>(one.causes.total()) / static_cast<double>(one.receipts);
    };
    const std::vector<TableColumn<SourceWaits>> columns{
        {{"node"}, [&](Waits one) { return topology().node_name(one.source); }},
        {{"receptions"}, [](Waits one) { return std::to_string(one.receipts); }},
        {{"cycles"}, [](Waits one) { return std::to_string(one.causes.total()); }},
        {{"mean"}, [&](Waits one) { return fmt::format("{:.2f}", mean(one)); }},
        {{"causes"}, [](Waits one) { return causes_in_words(one.causes); }}};
    return html_table("sources", "Messages by their source" + cut_in_words(sources.size()), columns,
                      sources, most_rows);
  }

  void add_unfinished() {
    const std::vector<UnfinishedMessage>& unfinished = explanation_.unfinished;
    using Message = const UnfinishedMessage&;
    const std::vector<TableColumn<UnfinishedMessage>> columns{
        {{"message"}, [&](Message one) { return name_in_words(one.name, topology()); }},
        {{"created"}, [](Message one) { return std::to_string(one.created); }},
        {{"until"}, [](Message one) { return std::to_string(one.until); }},
        {{"behind"}, [&](Message one) { return in_words(plan_, one.resource, true); }},
        {{"causes"}, [](Message one) { return causes_in_words(one.causes); }},
        {{"because of"}, [&](Message one) { return in_words(one.blames, 10, topology()); }}};
    add("under-way", "Messages that were not received",
        html_table("unfinished",
                   "Messages that were under way at the end" + cut_in_words(unfinished.size()),
                   columns, unfinished, most_rows));
  }

  void add_contention() {
    using Event = const ContentionEvent&;
    const std::vector<TableColumn<ContentionEvent>> columns{
        {{"trial"}, [](Event one) { return std::to_string(one.trial); }},
        {{"cycle"}, [](Event one) { return std::to_string(one.cycle); }},
        {{"cycles"}, [](Event one) { return std::to_string(one.cycles); }},
        {{"node"}, [&](Event one) { return topology().node_name(one.channel.node); }},
        {{"port"}, [](Event one) { return std::to_string(index(one.channel.port)); }},
        {{"waits"}, [&](Event one) { return name_in_words(one.waiting, topology()); }},
        {{"holds"}, [&](Event one) { return name_in_words(one.holding, topology()); }}};
    std::string body;
    for (const auto& [id, words, contention] :
         {std::tuple("contention", "contention", &results_.contention),
          std::tuple("reception", "reception contention", &results_.reception)}) {
      if (contention->events == 0) continue;
      body += html_table(id,
                         fmt::format("{}: {}, {}", words, counted(contention->events, "event"),
                                     counted(static_cast<std::uint64_t>(contention->blocked_cycles),
                                             "blocked cycle")) +
                             cut_in_words(contention->list.size()),
                         columns, contention->list, most_rows);
    }
    if (body.empty()) body = html_words("No message was kept off a channel by another one.");
    add("events", "Contention", body);
  }

  void add_histogram() {
    const auto& bars = results_.traffic->latency_histogram;
    if (bars.empty()) return;
    HtmlTable table("latencies", "Messages by latency", {"from", "to", "messages"});
    for (const Json& bar : parts_.run["traffic"]["latency_histogram"]) {
      table.add({bar["from"].dump(), bar["to"].dump(), bar["messages"].dump()});
    }
    add("histogram-of-latency", "Latencies",
        html_picture("histogram", "Messages by latency, cycles.") + table.take());
  }

  // What no picture shows is left out: lists of thousands of events and messages.
  void add_data() {
    parts_.run["contention"].erase("list");
    parts_.run["contention"]["reception"].erase("list");
    for (const char* key : {"messages", "unfinished", "roots", "by_channel", "by_source"}) {
      parts_.run["explanation"].erase(key);
    }
    for (const char* key : {"static", "wait_for", "deadlock"}) parts_.run.erase(key);
    page_.data = {{"kind", "run"},
                  {"run", std::move(parts_.run)},
                  {"path_is_shown", is_last_trial(plan_, explanation_.path)},
                  {"trial", std::move(parts_.trial)}};
  }

  const Topology& topology() const { return plan_.routing.topology(); }

  const RunPlan& plan_;
  const SessionResults& session_;
  const Results& results_;
  const Explanation& explanation_;
  const StaticVerdict& verdict_;
  RunPageParts parts_;
  Page page_;
};

void add_parameters(const Json& json, const std::string& prefix, HtmlTable& table) {
  for (const auto& [key, value] : json.items()) {
    const std::string name = prefix + key;
    if (value.is_object()) {
      add_parameters(value, name + ".", table);
    } else {
      table.add({name, value.is_string() ? value.get<std::string>() : value.dump()});
    }
  }
}

}  // namespace

bool is_last_trial(const RunPlan& plan, const std::vector<PathMessage>& path) {
  return !path.empty() && path.front().account.trial + 1 == static_cast<int>(plan.trials().size());
}

std::string page_maker() { return std::string("allport ") + program_version; }

std::string parameter_table(const Json& config) {
  HtmlTable table("config", "All parameters", {"parameter", "value"});
  add_parameters(config, "", table);
  return table.take();
}

std::string run_page(const RunPlan& plan, const SessionResults& session,
                     const StaticVerdict& verdict, RunPageParts parts) {
  return RunPage(plan, session, verdict, std::move(parts)).take();
}

}  // namespace allport
