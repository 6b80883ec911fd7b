// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/run_page_head.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_model/base/words.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/program/report/deadlock_report.h"
#include "testbench/program/report/explain_words.h"
#include "testbench/program/report/report.h"
#include "testbench/program/report/report_lines.h"
#include "testbench/program/report/setting_report.h"
#include "testbench/program/report/stop_report.h"
#include "testbench/show/page/html.h"

namespace allport {

namespace {

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

class RunPageHead {
 public:
  explicit RunPageHead(const RunPageFacts& run)
      : run_(run),
        plan_(run.plan),
        results_(run.results),
        explanation_(run.explanation),
        parts_(run.parts) {}

  std::string take() const { return ran() + numbers() + verdicts() + why(); }

 private:
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
      put(std::to_string(results_.deadlock->cycle), "cycles",
          "until the deadlock: " + stop_times_in_words(*results_.deadlock));
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
    const Deadlock& deadlock = *results_.deadlock;
    const std::size_t stuck = deadlock.stuck_messages;
    const std::size_t circle = deadlock.waits.size();
    std::string of_circle;
    if (circle > 0) {
      of_circle = circle < stuck
                      ? fmt::format(": {} in the circle, {} besides", circle, stuck - circle)
                  : circle == 1 ? ": it waits for itself"
                                : ": all of them in the circle";
    }
    put(std::to_string(stuck), stuck == 1 ? "message" : "messages",
        fmt::format("of {} can never be delivered{}", stuck + deadlock.delivered_messages,
                    of_circle));
    std::string words = "before; a message to several nodes has one at each";
    if (results_.missing > 0) {
      words += fmt::format(". {} did not receive", counted(results_.missing, "destination"));
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
    put(std::to_string(results_.messages), results_.messages == 1 ? "message" : "messages",
        "sent by the tasks");
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
    if (parts_.trial.is_null() || !parts_.trial.contains("slowest")) return "";
    const Json& slowest = parts_.trial["slowest"];
    return slowest["cycles"] == cycles ? " (" + slowest["name"].get<std::string>() + ")" : "";
  }

  template <class Put>
  void put_collective(const Put& put) const {
    if (!results_.has_latency()) {
      put("0", "destinations", "received anything");
    } else {
      put(std::to_string(results_.latency.max), "cycles", "until the last node has everything");
    }
    const Json& bound = run_.in_run({"bound"});
    if (results_.has_latency() && bound.contains("efficiency")) {
      put(fmt::format("{:.3f}", bound["efficiency"].get<double>()), "efficiency",
          fmt::format(
              "the bound over these cycles, which are {:.2f} times it: no schedule takes less than {}, by {}",
              1 / bound["efficiency"].get<double>(), bound["cycles"].get<Cycle>(),
              bound["binds"].get<std::string>()));
    } else {
      put(std::to_string(results_.messages), results_.messages == 1 ? "message" : "messages",
          "sent");
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
    if (is_stuck) put("bad", "deadlock", as_sentence(line_of(run_.ended, "deadlock")));
    for (const char* label : {"contention", "reception"}) {
      std::string words = line_of(run_.found, label);
      if (label == std::string_view("contention")) words += waiting_beside_blocked();
      const char* const name =
          label == std::string_view("reception") ? "contention at reception" : label;
      put(words.rfind("none", 0) == 0 ? "good" : "plain", name, words);
    }
    put("plain", "busiest channel", busiest_in_words());
    const std::string saturated = line_of(run_.found, "saturated");
    put(saturated == "no" ? "good" : "bad", "saturation",
        saturated == "no" ? "none: the network keeps up with the load" : saturated);
    put("plain", "theory", line_of(run_.found, "theory"));
    const std::string proof = line_of(run_.ended, "static");
    put(proof.find(" fails") == std::string::npos ? "plain" : "bad", "proof before the run", proof);
    return html + "</ul>\n";
  }

  // What is counted by channel, and what by message, are two numbers.
  std::string waiting_beside_blocked() const {
    const CauseSum& sum = explanation_.causes;
    if (results_.contention.blocked_cycles == 0) {
      const std::string waiting = waiting_in_words(sum);
      return waiting.empty() || results_.deadlock
                 ? ""
                 : ": no channel was kept from a message by another one; what messages wait is " +
                       waiting;
    }
    if (sum.contended == 0) return {};
    return fmt::format(
        " in which a channel was kept from a message by another one; all waiting of received messages for others, in queues and for credits too, is {}",
        counted(static_cast<std::uint64_t>(sum.contended), "cycle"));
  }

  // `889 cycles of port (messages before them use the injection port)`; empty: nothing waits.
  static std::string waiting_in_words(const CauseSum& sum) {
    std::vector<std::string> words;
    for (const Cause cause : longest_first(sum)) {
      if (!is_waiting(cause)) continue;
      words.push_back(fmt::format("{} of {} ({})",
                                  counted(static_cast<std::uint64_t>(sum[cause]), "cycle"),
                                  to_string(cause), row_of(cause).meaning));
    }
    return fmt::format("{}", fmt::join(words, ", "));
  }

  // `21 -> 29 (+y), used in 46.4 % of the 3485 cycles of the whole run`; it is empty where
  // there is none.
  std::string busiest_in_words() const {
    if (parts_.trial.is_null() || parts_.trial["channels"]["rows"].empty()) return {};
    const Json& rows = parts_.trial["channels"]["rows"];
    constexpr std::string_view label = "channel ";
    const auto name_of = [label](const Json& row) {
      auto name = row["channel"].get<std::string>();
      if (name.rfind(label, 0) == 0) name.erase(0, label.size());
      return name;
    };
    std::string names = name_of(rows[0]);
    const std::size_t others = parts_.trial["channels"]["alike"].get<std::size_t>() - 1;
    if (others == 1 && rows.size() > 1) {
      names += " and " + name_of(rows[1]);
    } else if (others > 0) {
      names += fmt::format(" and {} others", others);
    }
    return fmt::format("{}{}, used in {} of the {} cycles of the whole run{}", names,
                       others > 0 ? " alike" : "", percent_in_words(rows[0]["share"].get<double>()),
                       parts_.trial["cycles"].get<Cycle>(), busiest_of_window(rows[0]));
  }

  // The busiest channel of the cycles that are measured: it is another one, perhaps.
  std::string busiest_of_window(const Json& of_run) const {
    if (!results_.traffic || results_.traffic->channel_load.cycles == 0) return "";
    const ChannelLoad& load = results_.traffic->channel_load;
    const Topology& topology = run_.topology();
    const std::string address =
        fmt::format("{}.{}", topology.number_of(load.busiest.node), index(load.busiest.port));
    const std::string name = of_run["address"] == address
                                 ? "the same one"
                                 : run_.place_in_words({Resource::Kind::channel, load.busiest.node,
                                                        static_cast<int>(index(load.busiest.port))},
                                                       false);
    return fmt::format("; in the {} that are measured the busiest is {}, used in {}",
                       counted(static_cast<std::uint64_t>(load.cycles), "cycle"), name,
                       percent_in_words(load.max));
  }

  // The sentence that says why.
  std::string why() const {
    std::string words;
    std::string rest;  // what is said besides, in less weight
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
      words = tail_in_words();
      (words.empty() ? words : rest) += all_in_words();
    } else {
      words = "No message was received, so no latency is explained.";
    }
    if (!run_.to_bound().empty()) words = run_.bound_in_words() + " " + words;
    if (!rest.empty()) rest = "<p class=\"also\">" + html_sentence(rest) + "</p>\n";
    return "<p class=\"why\">" + html_sentence(words) + "</p>\n" + rest + what_helps();
  }

  // Where a high percentile is the number above: what the cycles of the slowest messages are.
  std::string tail_in_words() const {
    const GroupWaits& slowest = explanation_.slowest;
    const bool is_of_tail = results_.traffic && !results_.tasks && slowest.receipts > 0;
    if (!is_of_tail || slowest.causes.total() == 0) return "";
    const CauseSum& sum = slowest.causes;
    const std::vector<Cause> order = longest_first(sum);
    const auto part = [&](Cause cause, const char* are) {
      return fmt::format("{}{} {} ({})", share_in_words(sum[cause], sum.total()), are,
                         to_string(cause), row_of(cause).meaning);
    };
    std::string words = fmt::format(
        "The slowest 1 % of the messages ({}) take {:.1f} cycles on the average: {}",
        slowest.receipts, static_cast<double>(sum.total()) / static_cast<double>(slowest.receipts),
        part(order.front(), " of them are"));
    if (order.size() > 1) words += ", " + part(order[1], "");
    return words + ".";
  }

  // What most of the cycles of all messages are, and where the waiting for others begins.
  std::string all_in_words() const {
    const CauseSum& sum = explanation_.causes;
    const Cause most = longest_first(sum).front();
    std::string words =
        fmt::format("{} of the {} that {} took are {}: {}.", share_in_words(sum[most], sum.total()),
                    counted(static_cast<std::uint64_t>(sum.total()), "cycle"), what_was_received(),
                    to_string(most), row_of(most).meaning) +
        most_waiting_in_words(sum, most);
    if (explanation_.roots.empty() || sum.contended == 0) return words;
    const RootShare& root = explanation_.roots.front();
    const auto [cause, cycles] = most_roots();
    return words +
           fmt::format(
               " In {} of the {} cycles ({}) another message was in the way. Where one waits for the next, the root is what the last one waits for: of {} of these {} it is {} ({}). No place is the root of more of them than {}: {} ({}).",
               sum.contended, sum.total(), share_in_words(sum.contended, sum.total()),
               share_in_words(cycles, sum.contended), sum.contended, to_string(cause),
               row_of(cause).meaning, run_.place_in_words(root.resource), root.cycles,
               share_in_words(root.cycles, sum.contended));
  }

  // The cause with which most of the waiting for others begins, and its cycles.
  std::pair<Cause, Cycle> most_roots() const {
    std::map<Cause, Cycle> by_cause;
    for (const RootShare& one : explanation_.roots) by_cause[one.cause] += one.cycles;
    return *std::max_element(by_cause.begin(), by_cause.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
  }

  // Where most of the cycles are no waiting: what most of the waiting is.
  static std::string most_waiting_in_words(const CauseSum& sum, Cause most) {
    if (is_waiting(most)) return "";
    for (const Cause cause : longest_first(sum)) {
      if (!is_waiting(cause)) continue;
      return fmt::format(" Most of the waiting is {}, {} ({}): {}.", to_string(cause),
                         counted(static_cast<std::uint64_t>(sum[cause]), "cycle"),
                         share_in_words(sum[cause], sum.total()), row_of(cause).meaning);
    }
    return " Nothing waits.";
  }

  // `7166 messages that started in cycles 1000 to 9999`, or receptions, of which a message to
  // several nodes has several.
  std::string what_was_received() const {
    const bool is_copied = explanation_.receipts > results_.messages;
    const std::string words = counted(explanation_.receipts, is_copied ? "reception" : "message");
    if (plan_.traffic() == nullptr || plan_.background() != nullptr) return words;
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
      if (!is_in_circle) others.push_back(told_apart(name, run_.topology()));
    }
    if (others.empty()) return "";
    const std::size_t count = others.size();
    if (count > most) {
      others.resize(most);
      others.push_back(fmt::format("and {} more", count - most));
    }
    return fmt::format(" Besides them {} can never be delivered either.", fmt::join(others, ", "));
  }

  std::string what_helps() const {
    const PageAdvice& advice = parts_.advice;
    if (advice.command.empty()) return "";
    const std::string words = results_.deadlock ? what_ends_it() : what_saves_most();
    return std::string("<p id=\"helps\">") +
           (run_.is_at_bound()  ? "Only another machine may be faster. "
            : results_.deadlock ? "What could end it? "
                                : "What could help? ") +
           html_sentence(words) +
           (run_.changes().empty() ? ""
            : words.empty()        ? "<a href=\"#advice\">Changes</a>. "
                                   : "<a href=\"#advice\">All of them</a>. ") +
           (results_.deadlock ? "This tries them, and says which of them end the deadlock"
                              : "This tries changes, and says what each saves") +
           ": <code id=\"whatif\">" + html_sentence(advice.command) + "</code></p>\n";
  }

  std::string what_saves_most() const {
    constexpr std::size_t most = 3;
    const PageAdvice& advice = parts_.advice;
    std::vector<std::string> first;
    for (const AdvisedChange& one : run_.changes()) {
      if (first.size() == most || one.cycles <= 0) break;
      first.push_back(fmt::format("`{}` ({:.1f})", one.option, one.cycles));
    }
    if (run_.is_at_bound() || first.empty()) return "";
    return fmt::format(
        "By the cycles at stake, of {:.1f} of {}: {}. No gain is known before it is run. {}",
        advice.all, advice.of, fmt::join(first, ", "), run_.beyond_the_bound());
  }

  // `Every circle of waits ends for certain with --barrier 0. Perhaps all of it with --join-vcs 1.`
  std::string what_ends_it() const {
    constexpr std::size_t most = 3;
    std::vector<std::string> every;
    std::vector<std::string> certain;
    std::vector<std::string> perhaps;
    for (const AdvisedChange& one : run_.changes()) {
      if (every.size() + certain.size() + perhaps.size() == most) break;
      (one.ends == Ends::every_circle ? every
       : one.ends == Ends::its_circle ? certain
                                      : perhaps)
          .push_back(one.key.empty() ? one.option : fmt::format("`{}`", one.option));
    }
    std::string words;
    if (!every.empty()) {
      words += fmt::format("Every circle of waits ends for certain with {}. ",
                           fmt::join(every, "; or "));
    }
    if (!certain.empty()) {
      words += fmt::format("This circle ends for certain with {}; of others that is not known. ",
                           fmt::join(certain, "; or "));
    }
    if (!perhaps.empty()) words += fmt::format("Perhaps with {}. ", fmt::join(perhaps, "; or "));
    return words;
  }

  const RunPageFacts& run_;
  const RunPlan& plan_;
  const Results& results_;
  const Explanation& explanation_;
  const RunPageParts& parts_;
};

}  // namespace

std::string run_page_head(const RunPageFacts& run) { return RunPageHead(run).take(); }

}  // namespace allport
