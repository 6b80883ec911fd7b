// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/run_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/program/report/deadlock_report.h"
#include "testbench/program/report/explain_words.h"
#include "testbench/program/report/lockstep_report.h"
#include "testbench/program/report/report.h"
#include "testbench/program/report/report_lines.h"
#include "testbench/program/report/setting_report.h"
#include "testbench/program/report/stop_report.h"
#include "testbench/program/terminal/version.h"
#include "testbench/show/page/html.h"
#include "testbench/show/page/page.h"

namespace allport {

namespace {

constexpr std::size_t most_rows = 100;  // of a table

std::string of_cycles(Cycle part, Cycle whole) {
  return fmt::format("{:.1f} %", percentage(part, whole));
}

// `, the first 250 of 1234`
std::string cut_in_words(std::size_t rows) {
  return rows <= most_rows ? "" : fmt::format(", the first {} of {}", most_rows, rows);
}

// The words of a report's line, without its label; empty: it has no such line.
std::string line_of(const std::string& report, const std::string& label) {
  const std::string begin = report_line(label, "", Style(false));
  const std::string with_label = begin.substr(0, begin.size() - 1);
  for (std::size_t at = 0; at < report.size();) {
    const std::size_t end = std::min(report.find('\n', at), report.size());
    if (report.compare(at, with_label.size(), with_label) == 0) {
      return report.substr(at + with_label.size(), end - at - with_label.size());
    }
    at = end + 1;
  }
  return {};
}

std::string as_sentence(std::string words) {
  if (words.empty()) return words;
  while (words.back() == ':' || words.back() == '.') words.pop_back();
  return words + ".";
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
        parts_(std::move(parts)),
        found_(report_of_results(plan_, results_, Style(false))),
        ended_(report_of_verdict(plan_, results_, verdict_, Style(false))) {}

  std::string take() {
    page_.title = fmt::format("{} on {}", title(), plan_.routing.topology().name());
    page_.command = parts_.command;
    page_.made_by = page_maker();
    page_.lead = ran() + numbers() + verdicts() + why();
    if (results_.deadlock) add_tree();  // what stopped it comes first
    if (!parts_.trial.is_null()) add_channels();
    if (explanation_.receipts > 0) add_sum();
    add_bound();
    if (!parts_.trial.is_null()) {
      add_messages();
    } else if (explanation_.receipts > 0) {
      add("places", "Channels and sources", waits_in_a_fold() + sources_in_a_fold());
    }
    if (!results_.deadlock) add_tree();
    if (!explanation_.unfinished.empty()) add_unfinished();
    add_contention();
    if (results_.traffic) add_histogram();
    add("parameters", "Parameters",
        html_fold("All parameters of the run", parameter_table(parts_.run["config"])));
    add_origin();
    add_results();
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

  // What rows are about: a channel or a node, unless it is in a block of them ..
  RowSubject subject(const Resource& place) const {
    const std::string node = std::to_string(topology().number_of(place.node));
    if (place.kind != Resource::Kind::channel) return {{"node", node}};
    return {{"channel", fmt::format("{}.{}", node, place.port)}};
  }
  // .. of a message of the trial that is drawn ..
  RowSubject subject(const MessageName& message, int trial) const {
    if (!is_drawn(trial)) return {};
    return {{"message", name_in_words(message, topology())}};
  }
  // .. and of a message at a place: of the place, if the message is not drawn by itself.
  RowSubject subject(const Resource& place, const MessageName& message, int trial) const {
    RowSubject both = subject(place);
    const RowSubject more = subject(message, trial);
    both.insert(both.end(), more.begin(), more.end());
    return both;
  }
  // Patterns and tasks have one trial, without a plan of its own.
  bool is_drawn(int trial) const {
    return trial + 1 == static_cast<int>(std::max<std::size_t>(plan_.trials().size(), 1));
  }

  // `injection channel 0 of node 5 (+x)`, of a cube `(dimensions 0, 2)`: with the directions that
  // an injection channel serves.
  std::string place_in_words(const Resource& place, bool with_vc = true) const {
    const std::string words = in_words(plan_, place, with_vc);
    const int channels = plan_.router.internal_ports;
    if (place.kind != Resource::Kind::injection || channels == 1 || topology().is_graph()) {
      return words;
    }
    std::vector<std::string> directions;
    for (int i = place.port; i < plan_.router.external_ports; i += channels) {
      const PortId port = port_id(static_cast<std::size_t>(i));
      if (!topology().neighbour(place.node, port)) continue;
      directions.push_back(topology().is_hypercube() ? std::to_string(topology().dimension_of(port))
                                                     : direction_in_words(topology(), port));
    }
    const char* const kind = !topology().is_hypercube() ? ""
                             : directions.size() == 1   ? "dimension "
                                                        : "dimensions ";
    return fmt::format("{} ({}{})", words, kind, fmt::join(directions, ", "));
  }

  // What ran.
  std::string ran() const {
    std::string html = "<dl class=\"ran\">\n";
    for (const auto& [label, words] : setting_lines(plan_, results_.steps)) {
      if (*label != '\0') html += "<dt>" + html_text(label) + "</dt>";
      html += "<dd>" + with_latencies_explained(html_sentence(words)) + "</dd>\n";
      const std::string lengths = label == std::string_view("message") ? lengths_by_step() : "";
      if (!lengths.empty()) html += "<dd id=\"lengths\">" + html_text(lengths) + "</dd>\n";
    }
    return html + "</dl>\n";
  }

  // `ts 0, tr 0` tells what it is where one points at it.
  static std::string with_latencies_explained(std::string html) {
    for (const auto& [name, meaning] :
         {std::pair("ts", "sending latency: cycles of software at the sender, for a message"),
          std::pair("tr",
                    "receiving latency: cycles of software at the receiver, for a message")}) {
      const std::string word = fmt::format("{} ", name);
      std::size_t at = html.find(", " + word);
      at = at == std::string::npos ? html.rfind(word, 0) : at + 2;
      if (at == std::string::npos) continue;
      html.replace(at, word.size(), fmt::format("<abbr title=\"{}\">{}</abbr> ", meaning, name));
    }
    return html;
  }

  // Where blocks are sent: `that is a node's whole part; a message has 64 flits in steps 1 to 7,
  // ..`; empty: every message is as long as the line above says.
  std::string lengths_by_step() const {
    if (plan_.trials().empty() || plan_.trials().front().empty()) return "";
    const PlannedCollective& first = plan_.trials().front().front();
    const bool is_whole = first.goal == nullptr || first.goal->operation() == Operation::barrier;
    if (is_whole || first.is_one_message() || first.schedule.unicasts.empty()) {
      return "";
    }
    const MessageLengths lengths(first, plan_.simulation);
    std::map<StepIndex, std::set<std::int64_t>> steps;
    for (const Unicast& one : first.schedule.unicasts) {
      steps[one.step].insert(lengths.flits_of(one));
    }
    std::vector<std::pair<std::set<std::int64_t>, std::vector<StepIndex>>> groups;
    for (const auto& [step, of] : steps) {
      const bool goes_on = !groups.empty() && groups.back().first == of;
      if (!goes_on) groups.push_back({of, {}});
      groups.back().second.push_back(step);
    }
    const std::set<std::int64_t> whole{plan_.simulation.flits};
    if (groups.size() == 1 && groups.front().first == whole) return "";
    constexpr std::size_t most = 8;
    std::vector<std::string> words;
    for (const auto& [of, in] : groups) {
      if (words.size() == most) {
        words.push_back(fmt::format("others in {} to {}", in.front(), steps.rbegin()->first));
        break;
      }
      const std::string flits = of.size() == 1
                                    ? counted(static_cast<std::uint64_t>(*of.begin()), "flit")
                                    : fmt::format("{} to {} flits", *of.begin(), *of.rbegin());
      words.push_back(in.size() == 1
                          ? fmt::format("{} in step {}", flits, in.front())
                          : fmt::format("{} in steps {} to {}", flits, in.front(), in.back()));
    }
    return fmt::format("The messages of the schedule carry blocks of that: {}.",
                       fmt::join(words, ", "));
  }

  // The three numbers that matter most for what ran.
  std::string numbers() const {
    std::string html = "<ul class=\"numbers\">\n";
    const auto put = [&](const std::string& number, const std::string& unit,
                         const std::string& words) {
      html += fmt::format("<li><strong>{}</strong> {}<br><span>{}</span></li>\n", html_text(number),
                          html_text(unit), html_sentence(words));
    };
    if (results_.deadlock) {
      put(std::to_string(results_.deadlock->cycle), "cycles", "until nothing moved: a deadlock");
      put_stuck(put);
    } else if (results_.tasks) {
      put_tasks(put);
    } else if (results_.load) {
      put_distribution(put, results_.load->latency, results_.load->has_latency());
      put(fmt::format("{:.4f}", results_.load->accepted_flits), "flits per node and cycle",
          "accepted");
    } else if (results_.traffic) {
      put_distribution(put, results_.traffic->latency, results_.traffic->has_latency());
      put(fmt::format("{:.4f}", results_.traffic->accepted), "flits per node and cycle",
          fmt::format("accepted, of {:.4f} offered", results_.traffic->offered));
    } else {
      put_collective(put);
    }
    return html + "</ul>\n";
  }

  template <class Put>
  void put_stuck(const Put& put) const {
    const std::size_t stuck = results_.deadlock->stuck_messages;
    const std::size_t circle = results_.deadlock->waits.size();
    put(std::to_string(stuck), stuck == 1 ? "message" : "messages",
        circle > 0 && circle < stuck
            ? fmt::format("can never be delivered: {} in the circle, {} besides", circle,
                          stuck - circle)
            : "can never be delivered");
    std::string words = "before; a message to several nodes has one at each";
    if (results_.missing > 0) {
      words += fmt::format(", and {} did not come about", results_.missing);
    }
    put(std::to_string(explanation_.receipts),
        explanation_.receipts == 1 ? "reception" : "receptions", words);
  }

  template <class Put>
  void put_tasks(const Put& put) const {
    const TaskResults& tasks = *results_.tasks;
    put(tasks.unended == 0 ? std::to_string(tasks.makespan) : "none", "cycles",
        tasks.unended == 0
            ? "makespan"
            : fmt::format("makespan: {} of {} tasks did not end", tasks.unended, tasks.tasks));
    put(std::to_string(results_.messages), "messages", "sent by the tasks");
    put(std::to_string(results_.contention.blocked_cycles), "blocked cycles", "by contention");
  }

  template <class Put>
  void put_distribution(const Put& put, const LatencyDistribution& latency,
                        bool has_latency) const {
    if (!has_latency) {
      put("0", "messages", "were received of those that count");
      return;
    }
    put(std::to_string(latency.p99), "cycles", "99 % of the messages take at most that long (p99)");
    put(fmt::format("{:.2f}", latency.mean), "cycles",
        fmt::format("mean latency; median {}, longest {}{}", latency.p50, latency.max,
                    longest_in_words(latency.max)));
  }

  // ` (46>2#69)`, of the message that took `cycles`; empty: it is not known which one.
  std::string longest_in_words(Cycle cycles) const {
    const auto& messages = explanation_.messages;
    const auto found =
        std::find_if(messages.begin(), messages.end(),
                     [cycles](const MessageAccount& one) { return one.causes.total() == cycles; });
    if (found == messages.end()) return "";
    return " (" + name_in_words(*found, topology()) + ")";
  }

  template <class Put>
  void put_collective(const Put& put) const {
    if (!results_.has_latency()) {
      put("0", "destinations", "received anything");
    } else {
      put(std::to_string(results_.latency.max), "cycles", "until the last node has everything");
    }
    const Json& bound = in_run({"bound"});
    if (results_.has_latency() && bound.contains("efficiency")) {
      put(fmt::format("{:.3f}", bound["efficiency"].get<double>()), "efficiency",
          fmt::format(
              "the bound over these cycles, which are {:.2f} times it: no schedule takes less than {}, by {}",
              1 / bound["efficiency"].get<double>(), bound["cycles"].get<Cycle>(),
              bound["binds"].get<std::string>()));
    } else {
      put(std::to_string(results_.messages), "messages", "sent");
    }
    put(std::to_string(results_.contention.blocked_cycles), "blocked cycles", "by contention");
  }

  std::string verdicts() const {
    std::string html = "<ul class=\"verdicts\">\n";
    const auto put = [&](const char* look, const char* label, const std::string& words) {
      if (words.empty()) return;
      html +=
          fmt::format("<li class=\"{}\"><b>{}</b> {}</li>\n", look, label, html_sentence(words));
    };
    // A deadlock says so itself.
    if (!parts_.problem.empty() && parts_.problem.rfind("deadlock in cycle", 0) != 0)
      put("bad", "not complete", parts_.problem);
    const bool is_stuck = results_.deadlock || (results_.tasks && !results_.tasks->waits.empty());
    if (results_.is_complete()) put("good", "deadlock", "none in this run");
    if (is_stuck) put("bad", "deadlock", as_sentence(line_of(ended_, "deadlock")));
    for (const char* label : {"contention", "reception"}) {
      std::string words = line_of(found_, label);
      if (label == std::string_view("contention")) words += waiting_beside_blocked();
      const char* const name =
          label == std::string_view("reception") ? "contention at reception" : label;
      put(words.rfind("none", 0) == 0 ? "good" : "plain", name, words);
    }
    put("plain", "busiest channel", busiest_in_words());
    const std::string saturated = line_of(found_, "saturated");
    put(saturated == "no" ? "good" : "bad", "saturation",
        saturated == "no" ? "none: the network keeps up with the load" : saturated);
    put("plain", "theory", line_of(found_, "theory"));
    const std::string proof = line_of(ended_, "static");
    put(proof.find(" fails") == std::string::npos ? "plain" : "bad", "proof before the run", proof);
    return html + "</ul>\n";
  }

  // What is counted by channel, and what by message, are two numbers.
  std::string waiting_beside_blocked() const {
    const Cycle contended = explanation_.causes.contended;
    if (contended == 0) return {};
    if (results_.contention.blocked_cycles == 0) {
      return fmt::format(
          ": no channel was kept from a message by another one; {} are waiting in the queues of senders",
          counted(static_cast<std::uint64_t>(contended), "cycle"));
    }
    return fmt::format(
        " in which a channel was kept from a message by another one; all waiting of received messages for others, in queues and for credits too, is {}",
        counted(static_cast<std::uint64_t>(contended), "cycle"));
  }

  // The channels that are used as much as the first of `rows`, besides it.
  static std::size_t as_busy(const Json& rows) {
    return static_cast<std::size_t>(
        std::count_if(rows.begin() + 1, rows.end(),
                      [&](const Json& one) { return one["share"] == rows.front()["share"]; }));
  }

  // `21 -> 29 (+y), used in 46.4 % of the 3485 cycles of the run`; empty: there is none.
  std::string busiest_in_words() const {
    if (parts_.trial.is_null() || parts_.trial["channels"]["rows"].empty()) return {};
    const Json& most = parts_.trial["channels"]["rows"].front();
    constexpr std::string_view label = "channel ";
    auto name = most["channel"].get<std::string>();
    if (name.rfind(label, 0) == 0) name.erase(0, label.size());
    const Json& rows = parts_.trial["channels"]["rows"];
    const std::size_t others = as_busy(rows);
    if (others == 1) {
      auto other = rows[1]["channel"].get<std::string>();
      if (other.rfind(label, 0) == 0) other.erase(0, label.size());
      name += " and " + other;
    } else if (others > 1) {
      // The list may be cut: then there may be more of them.
      const bool is_cut = others + 1 == rows.size() &&
                          rows.size() < parts_.trial["channels"]["busy"].get<std::size_t>();
      name += fmt::format(" and {}{} others", is_cut ? "at least " : "", others);
    }
    const std::string in_window =
        results_.traffic ? fmt::format(" (in the measurement window {:.1f} % on the busiest)",
                                       100 * results_.traffic->channel_load.max)
                         : "";
    return fmt::format("{}{}, used in {:.1f} % of the {} cycles of the run{}", name,
                       others > 0 ? " alike" : "", 100 * most["share"].get<double>(),
                       parts_.trial["cycles"].get<Cycle>(), in_window);
  }

  // The sentence that says why.
  std::string why() const {
    std::string words;
    if (results_.deadlock && !results_.deadlock->waits.empty()) {
      const auto circle =
          circle_in_words(*results_.deadlock, plan_.router, plan_.routing.topology());
      constexpr std::size_t most = 4;
      std::vector<std::string> waits;
      for (const std::string& line : circle) {  // what stands below a wait is indented
        if (line.front() != ' ') waits.push_back(line);
      }
      if (waits.size() > most) {
        waits[most] = fmt::format("{} more", waits.size() - most);
        waits.resize(most + 1);
      }
      words = fmt::format("A circle of waits holds it, of {}: {}",
                          counted(results_.deadlock->waits.size(), "message"),
                          as_sentence(fmt::format("{}", fmt::join(waits, "; ")))) +
              besides_the_circle();
    } else if (results_.tasks && !results_.tasks->waits.empty()) {
      words = as_sentence(results_.tasks->waits.front());
    } else if (explanation_.causes.total() > 0) {
      const CauseSum& sum = explanation_.causes;
      const Cause most = longest_first(sum).front();
      words =
          fmt::format("{} of the {} that {} took are {}: {}.", of_cycles(sum[most], sum.total()),
                      counted(static_cast<std::uint64_t>(sum.total()), "cycle"),
                      what_was_received(), to_string(most), row_of(most).meaning) +
          most_waiting_in_words(sum, most);
      if (!explanation_.roots.empty() && sum.contended > 0) {
        const RootShare& root = explanation_.roots.front();
        words += fmt::format(
            " In {} of them ({}) another message was in the way; of these {} most begin at {}: {} ({}).",
            sum.contended, of_cycles(sum.contended, sum.total()), sum.contended,
            place_in_words(root.resource), root.cycles, of_cycles(root.cycles, sum.contended));
      }
    } else {
      words = "No message was received, so no latency is explained.";
    }
    if (!to_bound().empty()) words = bound_in_words(to_bound()) + " " + words;
    return "<p class=\"why\">" + html_sentence(words) + "</p>\n" + what_helps();
  }

  // Where most of the cycles are no waiting: what most of the waiting is.
  static std::string most_waiting_in_words(const CauseSum& sum, Cause most) {
    if (is_waiting(most)) return "";
    for (const Cause cause : longest_first(sum)) {
      if (!is_waiting(cause)) continue;
      return fmt::format(" Most of the waiting is {}, {} ({}): {}.", to_string(cause),
                         counted(static_cast<std::uint64_t>(sum[cause]), "cycle"),
                         of_cycles(sum[cause], sum.total()), row_of(cause).meaning);
    }
    return " Nothing waits.";
  }

  // `7166 messages that started in cycles 1000 to 9999`, or receptions, of which a message to
  // several nodes has several.
  std::string what_was_received() const {
    const bool is_copied = explanation_.receipts > results_.messages;
    const std::string words = counted(explanation_.receipts, is_copied ? "reception" : "message");
    if (!results_.traffic || plan_.traffic() == nullptr || results_.load || results_.tasks) {
      return words;
    }
    return fmt::format("{}, started in cycles {} to {},", words, plan_.traffic()->warmup,
                       plan_.traffic()->cycles - 1);
  }

  // ` Besides them 9 -> all can never be delivered either.`
  std::string besides_the_circle() const {
    constexpr std::size_t most = 3;
    const Deadlock& deadlock = *results_.deadlock;
    std::vector<std::string> others;
    for (const MessageName& name : deadlock.messages) {
      const bool is_in_circle =
          std::any_of(deadlock.waits.begin(), deadlock.waits.end(),
                      [&](const DeadlockWait& wait) { return wait.message == name; });
      if (!is_in_circle) others.push_back(told_apart(name, topology()));
    }
    if (others.empty()) return "";
    const std::size_t count = others.size();
    if (count > most) {
      others.resize(most);
      others.push_back(fmt::format("{} more", count - most));
    }
    return fmt::format(" Besides them {} can never be delivered either.", fmt::join(others, ", "));
  }

  std::string what_helps() const {
    const PageAdvice& advice = parts_.advice;
    if (advice.command.empty()) return "";
    constexpr std::size_t most = 3;
    std::vector<std::string> first;
    for (const AdvisedChange& one : advice.changes) {
      if (first.size() == most || one.cycles <= 0) break;
      first.push_back(fmt::format("`{}` ({:.1f})", one.option, one.cycles));
    }
    const std::string words =
        is_at_bound() || first.empty()
            ? ""
            : fmt::format(
                  "By the cycles at stake, of {:.1f} of {}: {}. No gain is known before it is run. ",
                  advice.all, advice.of, fmt::join(first, ", "));
    return std::string("<p id=\"helps\">") +
           (is_at_bound()       ? "Only another machine may be faster. "
            : results_.deadlock ? "What could end it? "
                                : "What could help? ") +
           html_sentence(words) +
           (advice.changes.empty() ? ""
            : words.empty()        ? "<a href=\"#advice\">Changes</a>. "
                                   : "<a href=\"#advice\">All of them</a>. ") +
           (results_.deadlock ? "This tries them, and says which of them end the deadlock"
                              : "This tries changes, and says what each saves") +
           ": <code id=\"whatif\">" + html_sentence(advice.command) + "</code></p>\n";
  }

  bool is_at_bound() const {
    const Json& bound = to_bound();
    return !bound.empty() && bound["cycles"] == bound["bound"];
  }

  // The changes that may help, by the cycles at stake.
  std::string advice() const {
    const PageAdvice& advice = parts_.advice;
    if (advice.changes.empty()) return "";
    HtmlTable table("advised",
                    fmt::format("Changes by the cycles that they are against, of {:.1f} of {}",
                                advice.all, advice.of),
                    {"change", "cycles at stake", "share", "which", "the first of them costs"});
    for (const AdvisedChange& one : advice.changes) {
      const bool is_known = one.cycles > 0;
      table.add({one.option, is_known ? fmt::format("{:.1f}", one.cycles) : "",
                 is_known ? fmt::format("{:.1f} %", 100 * one.cycles / advice.all) : "",
                 one.evidence, one.cost});
    }
    return "<h3 id=\"advice\">What could help</h3>\n" +
           html_words(fmt::format(
               "At stake are the cycles of the causes that a change is against. It may save fewer of them, or none: no gain is known before it is run. {}The command line at the top runs these changes.",
               advice.is_checked ? "" : "Some of them may be refused. ")) +
           table.take();
  }

  const Json& to_bound() const { return in_run({"explanation", "to_bound"}); }

  // The object under `keys` in the JSON of the run; an empty one: there is none.
  const Json& in_run(std::initializer_list<const char*> keys) const {
    static const Json none = Json::object();
    const Json* at = &parts_.run;
    for (const char* key : keys) {
      const auto found = at->find(key);
      if (found == at->end() || !found->is_object()) return none;
      at = &*found;
    }
    return *at;
  }

  static std::string bound_in_words(const Json& bound) {
    const Json* most = nullptr;
    for (const Json& part : bound["parts"]) {
      if (most == nullptr || part["cycles"] > (*most)["cycles"]) most = &part;
    }
    const auto all = bound["cycles"].get<Cycle>();
    const auto least = bound["bound"].get<Cycle>();
    const auto by = bound["by"].get<std::string>();
    if (all == least) {
      return fmt::format("It is at its bound: no schedule takes less than these {}, by {}.",
                         counted(static_cast<std::uint64_t>(all), "cycle"), by);
    }
    std::string words = fmt::format("It takes {} ({}) more than the bound of {}, by {}",
                                    counted(static_cast<std::uint64_t>(all - least), "cycle"),
                                    of_cycles(all - least, least), least, by);
    if (most != nullptr) {
      words += fmt::format("; {} of them are {}", (*most)["cycles"].get<Cycle>(),
                           (*most)["part"].get<std::string>());
    }
    return words + ".";
  }

  // `By step, ports without work: 410 in steps 1 to 7, ..; the most in one step is 59, in step 1
  // and 9 others.`
  std::string steps_in_sentences() const {
    std::string words;
    if (!explanation_.to_bound) return words;
    for (const ExcessPart& part : explanation_.to_bound->parts) {
      if (part.steps.empty()) continue;
      const auto most = std::max_element(
          part.steps.begin(), part.steps.end(),
          [](const ExcessStep& a, const ExcessStep& b) { return a.cycles < b.cycles; });
      const auto alike =
          std::count_if(part.steps.begin(), part.steps.end(),
                        [&](const ExcessStep& one) { return one.cycles == most->cycles; });
      words += html_words(fmt::format(
          "By step, {}: {}; the most in one step is {}, in step {}{}.", to_string(part.part),
          steps_in_words(part), most->cycles, most->step,
          alike > 1 ? fmt::format(" and {} {}", alike - 1, alike == 2 ? "other" : "others") : ""));
    }
    return words;
  }

  void add_results() {
    std::string text = found_ + ended_;
    if (session_.lockstep) text += lockstep_report(*session_.lockstep, Style(false));
    text += report_of_time(plan_, results_, verdict_, Style(false));
    add("results", "As the terminal shows it", html_lines(text));
  }

  // Where the page comes from, to make it again.
  void add_origin() {
    add("origin", "Command line, digest and trace",
        fmt::format("<p>{} made this page with</p>\n<p><code id=\"command\">{}</code></p>\n"
                    "<p>Digest of all receptions: <code id=\"digest\">{}</code></p>\n",
                    html_text(page_.made_by), html_sentence(page_.command),
                    html_text(results_.digest)));
  }

  // The difference to the bound, part by part.
  void add_bound() {
    const Json& bound = to_bound();
    if (bound.empty()) return;
    HtmlTable table("bound-parts", "The cycles beyond the bound, and the bound itself",
                    {"part", "cycles", "share"});
    const auto all = bound["cycles"].get<Cycle>();
    const auto put = [&](const std::string& words, Cycle cycles) {
      table.add({words, std::to_string(cycles), of_cycles(cycles, all)});
    };
    put("the bound, by " + bound["by"].get<std::string>(), bound["bound"].get<Cycle>());
    for (const Json& part : bound["parts"]) {
      put(part["part"].get<std::string>(), part["cycles"].get<Cycle>());
    }
    add("to-the-bound", is_at_bound() ? "The bound" : "Why it takes longer than the bound",
        html_picture("to_bound", bound_in_words(bound)) + steps_in_sentences() +
            html_fold("As a table", table.take()) + steps_to_bound(bound));
  }

  // What the bars by step show; of a few parts.
  static std::string steps_to_bound(const Json& bound) {
    HtmlTable table("bound-steps", "The cycles beyond the bound, by step of the schedule",
                    {"step", "part", "cycles", "of cycles in which its flits follow one another"});
    bool is_empty = true;
    for (const Json& part : bound["parts"]) {
      if (!part.contains("steps")) continue;
      for (const Json& step : part["steps"]) {
        table.add({step["step"].dump(), part["part"].get<std::string>(), step["cycles"].dump(),
                   step["transfer"].dump()});
        is_empty = false;
      }
    }
    return is_empty ? "" : html_fold("As a table: by step", table.take());
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
    body += html_fold("As a table", table.take());
    if (results_.deadlock) {
      body += html_words(fmt::format(
          "These are the cycles of what was received. What the {} that can never be delivered wait for is told above.",
          counted(results_.deadlock->stuck_messages, "message")));
    } else {
      body += findings("What follows") + advice();
    }
    add("sum", "Where the cycles go", body + roots());
  }

  std::string findings(const char* heading) const {
    std::string list = fmt::format("<h3>{}</h3>\n<ul>\n", heading);
    std::vector<std::string> sentences = explanation_findings(plan_, results_);
    if (!results_.deadlock) sentences.push_back(queues_in_words());
    for (const std::string& sentence : sentences) {
      if (!sentence.empty()) list += "<li>" + html_sentence(sentence) + "</li>\n";
    }
    return list + "</ul>\n";
  }

  // Whether queues are alike at all sources; empty: there are none.
  std::string queues_in_words() const {
    const auto queue = [](const SourceWaits& one) {
      return one.causes[Cause::port] + one.causes[Cause::processor];
    };
    const std::vector<SourceWaits>& sources = explanation_.by_source;
    if (sources.size() < 2) return "";
    const auto [least, most] = std::minmax_element(
        sources.begin(), sources.end(),
        [&](const SourceWaits& a, const SourceWaits& b) { return queue(a) < queue(b); });
    if (queue(*most) == 0) return "";
    Cycle all = 0;
    for (const SourceWaits& one : sources) all += queue(one);
    return fmt::format(
        "Queues by source: most cycles are in that of node {}, {}, and least in that of node {}, {}; the mean is {:.1f}.",
        topology().node_name(most->source), queue(*most), topology().node_name(least->source),
        queue(*least), static_cast<double>(all) / static_cast<double>(sources.size()));
  }

  std::string roots() const {
    if (explanation_.roots.empty()) return "";
    using Root = const RootShare&;
    const Cycle contended = explanation_.causes.contended;
    const std::vector<TableColumn<RootShare>> columns{
        {{"cause"}, [](Root root) { return to_string(root.cause); }},
        {{"place"}, [&](Root root) { return place_in_words(root.resource); }},
        {{"cycles"}, [](Root root) { return std::to_string(root.cycles); }},
        {{"share"}, [&](Root root) { return of_cycles(root.cycles, contended); }}};
    return html_fold("What the waiting comes from, as a table",
                     html_table("roots",
                                fmt::format("What the {} of waiting for others come from{}",
                                            counted(static_cast<std::uint64_t>(contended), "cycle"),
                                            cut_in_words(explanation_.roots.size())),
                                columns, explanation_.roots, most_rows,
                                [&](Root root) { return subject(root.resource); }));
  }

  // Of which trial the pictures are.
  std::string which_trial() const {
    const std::size_t trials = results_.trials.size();
    return trials > 1 ? fmt::format(" This is the last of {} trials.", trials) : "";
  }

  std::string folded() const {
    const Json& fabric = parts_.trial["fabric"];
    std::size_t nodes_of_cell = 1;
    for (const Json& factor : fabric["factors"]) nodes_of_cell *= factor.get<std::size_t>();
    if (nodes_of_cell == 1) return "";
    return fmt::format(
        " The fabric is too large to show every node: each of the {} cells is a block of up to {}.",
        fabric["nodes"].size(), nodes_of_cell);
  }

  void add_channels() {
    add("channels", "Channels",
        html_picture(
            "time",
            "All external channels over time. The frame is the time of the fabric, of who waits for whom and of the messages below it; sums and tables are those of the whole run. Drag it, or use the arrow keys." +
                which_trial()) +
            html_fold("As a table: the channels over time", moments()) +
            html_picture("fabric", "The channels in that time." + folded()) +
            html_fold("As a table: what channels did", channels()) + waits_in_a_fold());
  }

  std::string waits_in_a_fold() const {
    if (explanation_.by_channel.empty()) return "";
    return html_fold("As a table: what was waited for", waits());
  }

  std::string sources_in_a_fold() const {
    if (explanation_.by_source.empty()) return "";
    return html_fold("As a table: messages by their source", sources());
  }

  std::string moments() const {
    HtmlTable table(
        "moments", "All external channels, by stretches of time",
        {"from", "to", "busiest channel", "used", "mean", "blocked", "multicasts and joins"});
    const auto share = [](const Json& one) {
      return fmt::format("{:.1f} %", 100 * one.get<double>());
    };
    for (const Json& one : parts_.trial["moments"]) {
      table.add({one["from"].dump(), one["to"].dump(), one["busiest"].get<std::string>(),
                 share(one["busiest_used"]), share(one["used"]), share(one["blocked"]),
                 share(one["shared"])},
                {{"t", fmt::format("{}-{}", one["from"].dump(), one["to"].dump())}});
    }
    return table.take();
  }

  std::string channels() const {
    const Json& list = parts_.trial["channels"];
    HtmlTable table(
        "channel-uses",
        "External channels over the whole run, the busiest first" +
            cut_in_words(list["busy"].get<std::size_t>()),
        {"channel", "share", "used", "lost", "no credit", "empty", "flits", "most waiting"});
    for (const Json& one : list["rows"]) {
      table.add({one["channel"].get<std::string>(),
                 fmt::format("{:.1f} %", 100 * one["share"].get<double>()), one["used"].dump(),
                 one["lost"].dump(), one["no_credit"].dump(), one["empty"].dump(),
                 one["flits"].dump(), one["most"].dump()},
                {{"channel", one["address"].get<std::string>()}});
    }
    return table.take();
  }

  void add_tree() {
    if (results_.deadlock) {
      const std::string picture =
          parts_.trial.is_null()
              ? ""
              : html_picture("tree", "What waits for what when nothing can move any more.");
      add("waiting", "Who waits for whom",
          picture + delivered() + findings("What would break it") + advice() + checked_before());
      return;
    }
    if (parts_.trial.is_null()) return;
    add("waiting", "Who waits for whom",
        html_picture(
            "tree",
            "The congestion tree of a cycle of that time, where most messages wait; what stands at the left is what all others wait for in the end."));
  }

  // Which messages came to all that they are for, in spite of the deadlock.
  std::string delivered() const {
    constexpr std::size_t most = 5;
    std::map<std::pair<NodeId, int>, std::set<NodeId>> receivers;
    for (const MessageAccount& one : explanation_.messages) {
      receivers[{one.source, one.order}].insert(one.destination);
    }
    std::vector<std::string> names;
    for (const auto& [sent, by] : receivers) {
      const bool is_stuck =
          std::any_of(results_.deadlock->messages.begin(), results_.deadlock->messages.end(),
                      [&sent = sent](const MessageName& name) {
                        return name.u == sent.first && name.order == sent.second;
                      });
      if (is_stuck) continue;
      const std::optional<NodeId> receiver =
          by.size() == 1 ? std::make_optional(*by.begin()) : std::nullopt;
      names.push_back(told_apart(MessageName{sent.first, receiver, sent.second}, topology()));
    }
    if (names.empty()) return html_words("No message was delivered to all that it is for.");
    const std::size_t count = names.size();
    if (count > most) {
      names.resize(most);
      names.push_back(fmt::format("{} more", count - most));
    }
    return html_words(fmt::format("{} delivered to all that {} for: {}.",
                                  counted(count, "message") + (count == 1 ? " was" : " were"),
                                  count == 1 ? "it is" : "they are", fmt::join(names, ", ")));
  }

  // What is known without the run: the lines of the report's `static`.
  std::string checked_before() const {
    std::string list;
    std::size_t at = ended_.find(report_line("static", "", Style(false)).substr(0, 7));
    if (at == std::string::npos) return list;
    bool is_first = true;
    while (at < ended_.size() && (is_first || ended_[at] == ' ')) {
      const std::size_t end = std::min(ended_.find('\n', at), ended_.size());
      std::string line = ended_.substr(at, end - at);
      if (is_first) line.erase(0, std::string_view("static").size());
      line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
      list += "<li>" + html_sentence(line) + "</li>\n";
      is_first = false;
      at = end + 1;
    }
    return "<h3 id=\"checked\">What the check before the run said</h3>\n<ul>\n" + list + "</ul>\n";
  }

  void add_messages() {
    const auto shown = parts_.trial["shown"].get<std::size_t>();
    const auto received = parts_.trial["receptions"].get<std::size_t>();
    if (shown == 0) return;
    const std::string words =
        shown < received
            ? fmt::format("The densities are of all {}; one by one are the slowest {}.",
                          counted(received, "message"), shown)
            : fmt::format("All {}.", all_shown_in_words(shown, received));
    add("over-time", "Messages over time",
        html_picture("messages", words + which_trial()) + sources_in_a_fold() + path());
  }

  // A message to several nodes is received at each, and under way on each of its branches.
  static std::string all_shown_in_words(std::size_t shown, std::size_t received) {
    if (shown == received) return counted(shown, "reception");
    return fmt::format("{} and {} {} of messages under way at the end",
                       counted(received, "reception"), shown - received,
                       shown == received + 1 ? "branch" : "branches");
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
                   to_string(one.cause), place_in_words(one.resource),
                   one.blamed ? name_in_words(*one.blamed, topology()) : ""},
                  subject(MessageName{account.source, account.destination, account.order},
                          account.trial));
      }
    }
    return html_fold("The critical path, as a table", table.take());
  }

  std::string waits() const {
    const std::vector<ChannelWaits>& channels = explanation_.by_channel;
    using Waits = const ChannelWaits&;
    const std::vector<TableColumn<ChannelWaits>> columns{
        {{"place"}, [&](Waits one) { return place_in_words(one.resource, false); }},
        {{"cycles"}, [](Waits one) { return std::to_string(one.causes.total()); }},
        {{"blamed"}, [](Waits one) { return std::to_string(one.causes.contended); }},
        {{"causes"}, [](Waits one) { return causes_in_words(one.causes); }}};
    return html_table("waits", "Channels that were waited for" + cut_in_words(channels.size()),
                      columns, channels, most_rows,
                      [&](Waits one) { return subject(one.resource); });
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
        {{"in its own queue"},
         [](Waits one) {
           return std::to_string(one.causes[Cause::port] + one.causes[Cause::processor]);
         }},
        {{"causes"}, [](Waits one) { return causes_in_words(one.causes); }}};
    const auto node = [&](Waits one) -> RowSubject {
      return {{"node", std::to_string(topology().number_of(one.source))}};
    };
    return html_table("sources", "Messages by their source" + cut_in_words(sources.size()), columns,
                      sources, most_rows, node);
  }

  void add_unfinished() {
    const std::vector<UnfinishedMessage>& unfinished = explanation_.unfinished;
    using Message = const UnfinishedMessage&;
    const std::vector<TableColumn<UnfinishedMessage>> columns{
        {{"message"}, [&](Message one) { return name_in_words(one.name, topology()); }},
        {{"to"}, [&](Message one) { return end_in_words(one); }},
        {{"created"}, [](Message one) { return std::to_string(one.created); }},
        {{"until"}, [](Message one) { return std::to_string(one.until); }},
        {{"causes"}, [](Message one) { return causes_in_words(one.causes); }},
        {{"because of"}, [&](Message one) { return in_words(one.blames, 10, topology()); }}};
    const std::string missing =
        results_.missing == 0
            ? ""
            : html_words(fmt::format(
                  "{} did not receive what they should. Where a message is copied, each branch that is not complete has a row; it may lead to several of them.",
                  counted(results_.missing, "destination")));
    add("under-way", "Messages that were not received",
        missing + html_fold("As a table",
                            html_table("unfinished",
                                       "Messages that were under way at the end, by branches" +
                                           cut_in_words(unfinished.size()),
                                       columns, unfinished, most_rows, [&](Message one) {
                                         return subject(one.resource, one.name, one.trial);
                                       })));
  }

  // `node 5`, or of a branch that has not come to a node `beyond channel 5 -> 4 (+x)`
  std::string end_in_words(const UnfinishedMessage& one) const {
    if (one.name.v && !one.name.join) return "node " + topology().node_name(*one.name.v);
    if (one.resource.kind == Resource::Kind::ejection) {
      return "node " + topology().node_name(one.resource.node);
    }
    return "beyond " + place_in_words(one.resource);
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
    // A channel is an ejection channel where messages meet at a receiver.
    const auto event = [&](Event one) {
      const auto port = static_cast<int>(index(one.channel.port));
      const auto kind =
          port < plan_.router.external_ports ? Resource::Kind::channel : Resource::Kind::ejection;
      RowSubject about = subject({kind, one.channel.node, port}, one.waiting, one.trial);
      if (is_drawn(one.trial)) {
        about.emplace_back("t", fmt::format("{}-{}", one.cycle, one.cycle + one.cycles - 1));
      }
      return about;
    };
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
                         columns, contention->list, most_rows, event);
    }
    add("events", "Contention",
        body.empty() ? html_words("No message was kept off a channel by another one.")
                     : html_fold("Every event, as a table", body));
  }

  void add_histogram() {
    const auto& bars = results_.traffic->latency_histogram;
    if (bars.empty()) return;
    HtmlTable table("latencies", "Messages by latency", {"from", "to", "messages"});
    for (const Json& bar : parts_.run["traffic"]["latency_histogram"]) {
      table.add({bar["from"].dump(), bar["to"].dump(), bar["messages"].dump()});
    }
    add("histogram-of-latency", "Latencies",
        html_picture("histogram", "Messages by latency, cycles.") +
            html_fold("As a table", table.take()));
  }

  // What no picture shows is left out: lists of thousands of events and messages.
  void add_data() {
    parts_.run["contention"].erase("list");
    parts_.run["contention"]["reception"].erase("list");
    for (const char* key : {"messages", "unfinished", "roots", "by_channel", "by_source"}) {
      parts_.run["explanation"].erase(key);
    }
    for (const char* key : {"static", "wait_for"}) parts_.run.erase(key);
    if (!parts_.trial.is_null()) {
      for (const char* key : {"moments", "channels"}) parts_.trial.erase(key);
    }
    page_.data = {{"kind", "run"},
                  {"run", std::move(parts_.run)},
                  {"complete", results_.is_complete() && results_.missing == 0},
                  {"path_is_shown", is_last_trial(plan_, explanation_.path)},
                  {"trial", std::move(parts_.trial)}};
    if (results_.deadlock) page_.data["stop"] = stop_json(plan_, *results_.deadlock);
  }

  const Topology& topology() const { return plan_.routing.topology(); }

  const RunPlan& plan_;
  const SessionResults& session_;
  const Results& results_;
  const Explanation& explanation_;
  const StaticVerdict& verdict_;
  RunPageParts parts_;
  const std::string found_;  // what the report says of the results
  const std::string ended_;  // and of the end of the run
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
