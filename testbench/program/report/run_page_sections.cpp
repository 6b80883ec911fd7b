// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/run_page_sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "rtl_model/base/words.h"
#include "testbench/program/report/explain_words.h"
#include "testbench/program/report/lockstep_report.h"
#include "testbench/program/report/report.h"
#include "testbench/program/report/report_lines.h"
#include "testbench/program/report/stop_report.h"
#include "testbench/show/page/html.h"

namespace allport {

namespace {

constexpr std::size_t page_rows = 100;  // of a table

// `, the first 250 of 1234`
std::string cut_in_words(std::size_t rows) {
  return rows <= page_rows ? "" : fmt::format(", the first {} of {}", page_rows, rows);
}

class RunPageSections {
 public:
  explicit RunPageSections(const RunPageFacts& run)
      : run_(run),
        plan_(run.plan),
        results_(run.results),
        explanation_(run.explanation),
        parts_(run.parts) {}

  std::vector<PageSection> take() {
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
    return std::move(sections_);
  }

 private:
  void add(std::string id, std::string heading, std::string body) {
    sections_.push_back({std::move(id), std::move(heading), std::move(body)});
  }

  // The changes that may help, by the cycles at stake.
  std::string advice() const {
    const PageAdvice& advice = parts_.advice;
    const std::vector<AdvisedChange> changes = run_.changes();
    if (changes.empty()) return "";
    if (results_.deadlock) return ways_out(changes);
    HtmlTable table("advised",
                    fmt::format("Changes by the cycles that they are against, of {:.1f} of {}",
                                advice.all, advice.of),
                    {"change", "cycles at stake", "share", "which", "the first of them costs"});
    for (const AdvisedChange& one : changes) {
      const bool is_known = one.cycles > 0;
      table.add({with_all_values(one), is_known ? fmt::format("{:.1f}", one.cycles) : "",
                 is_known ? share_at_stake(one) : "", one.evidence, one.cost});
    }
    return "<h3 id=\"advice\">What could help</h3>\n" +
           html_words(fmt::format(
               "At stake are the cycles of the causes that a change is against. It may save fewer of them, or none: no gain is known before it is run. {}{}The command line at the top runs these changes.",
               run_.beyond_the_bound(), advice.is_checked ? "" : "Some of them may be refused. ")) +
           table.take();
  }

  // `--algorithm ucube, maxport or wsort`: all that the first screen counts as more.
  static std::string with_all_values(const AdvisedChange& one) {
    return one.whole.empty() ? one.option : one.whole;
  }

  std::string share_at_stake(const AdvisedChange& one) const {
    return fmt::format("{:.1f} %", 100 * one.cycles / parts_.advice.all);
  }

  // The one list of what ends a deadlock, for certain or perhaps.
  std::string ways_out(const std::vector<AdvisedChange>& changes) const {
    const PageAdvice& advice = parts_.advice;
    HtmlTable table("advised", "Changes that end this deadlock, or may end it",
                    {"change", "ends it", "why", "the first of them costs"});
    for (const AdvisedChange& one : changes) {
      table.add({with_all_values(one),
                 one.ends == Ends::every_circle ? "every circle, for certain"
                 : one.ends == Ends::its_circle ? "this circle, for certain"
                                                : "perhaps",
                 one.reason.empty() ? against(one) : one.reason, one.cost});
    }
    return "<h3 id=\"advice\">What could end it</h3>\n" +
           html_words(fmt::format(
               "What ends circles of waits for certain stands first, then what is against most of the waiting. {}That every circle ends is said where it follows for all messages that can never be delivered; of this circle only where it was looked at for that one. Whether a change ends the deadlock is known when it is run: the command line at the top runs those that are options.",
               advice.is_checked ? "" : "Some of them may be refused. ")) +
           table.take();
  }

  // Which waiting a change is against.
  std::string against(const AdvisedChange& one) const {
    if (one.key == "algorithm") return "Its messages meet otherwise, or not at all.";
    if (one.cycles <= 0) return one.evidence;
    return fmt::format("It is against {}, of the {:.1f} cycles of {}.", one.evidence,
                       parts_.advice.all, parts_.advice.of);
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

  // Why the path has more cycles of hop than are beyond the bound, and a step more of flits than
  // the path has of length.
  std::string hops_in_words() const {
    if (!explanation_.to_bound || explanation_.path.empty()) return "";
    Cycle hops = 0;
    int longest = 0;
    for (const PathMessage& message : explanation_.path) {
      longest = std::max(longest, message.account.flits);
      for (const PathStretch& one : message.stretches) {
        if (one.cause == Cause::hop || one.cause == Cause::pipeline) hops += one.cycles;
      }
    }
    Cycle beyond = 0;
    for (const ExcessPart& part : explanation_.to_bound->parts) {
      if (part.part == Excess::hops) beyond = part.cycles;
    }
    const auto messages = static_cast<Cycle>(explanation_.path.size());
    if (hops - messages < beyond) return "";
    const auto words = [](Cycle cycles, const char* unit) {
      return counted(static_cast<std::uint64_t>(cycles), unit);
    };
    return html_words(fmt::format(
        "The critical path has {} in which messages cross channels. In {} of them the first flits of its {} arrive, and these count here, and in the bars by step, with the flits behind them: a message of {} has {} of flits here, and one less of length there. Of the {} others, {} {} the bound's, and {} {} hops beyond it.",
        words(hops, "cycle"), messages, words(messages, "message"), words(longest, "flit"),
        words(longest, "cycle"), hops - messages, hops - messages - beyond,
        hops - messages - beyond == 1 ? "is" : "are", beyond, beyond == 1 ? "is" : "are"));
  }

  void add_results() {
    std::string text = run_.found + run_.ended;
    if (run_.session.lockstep) text += lockstep_report(*run_.session.lockstep, Style(false));
    text += report_of_time(plan_, results_, run_.verdict, Style(false));
    add("results", "As the terminal shows it", html_lines(text));
  }

  // Where the page comes from, to make it again.
  void add_origin() {
    add("origin", "Command line, digest and trace",
        fmt::format("<p>{} made this page with</p>\n<p><code id=\"command\">{}</code></p>\n"
                    "<p>Digest of all receptions: <code id=\"digest\">{}</code></p>\n",
                    html_text(page_maker()), html_sentence(parts_.command),
                    html_text(results_.digest)));
  }

  // The difference to the bound, part by part.
  void add_bound() {
    const Json& bound = run_.to_bound();
    if (bound.empty()) return;
    HtmlTable table("bound-parts", "The cycles beyond the bound, and the bound itself",
                    {"part", "cycles", "share"});
    const auto all = bound["cycles"].get<Cycle>();
    const auto put = [&](const std::string& words, Cycle cycles) {
      table.add({words, std::to_string(cycles), share_in_words(cycles, all)});
    };
    put("the bound, by " + bound["by"].get<std::string>(), bound["bound"].get<Cycle>());
    for (const Json& part : bound["parts"]) {
      put(part["part"].get<std::string>(), part["cycles"].get<Cycle>());
    }
    add("to-the-bound", run_.is_at_bound() ? "The bound" : "Why it takes longer than the bound",
        html_picture("to_bound", run_.bound_in_words()) + steps_in_sentences() + hops_in_words() +
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
      table.add({to_string(cause), std::to_string(sum[cause]),
                 share_in_words(sum[cause], sum.total()), row_of(cause).meaning});
    }
    table.add({"contended", std::to_string(sum.contended),
               share_in_words(sum.contended, sum.total()),
               "another message is in the way; these cycles are among those above"});
    body += html_fold("As a table", table.take());
    if (results_.deadlock) {
      body += html_words(fmt::format(
          "These are the cycles of what was received. What the {} that can never be delivered wait for is told above.",
          counted(results_.deadlock->stuck_messages, "message")));
    } else {
      body += findings() + advice();
    }
    add("sum", "Where the cycles go", body + roots());
  }

  static std::string list_of(const char* heading, const std::vector<std::string>& sentences) {
    std::string list;
    for (const std::string& sentence : sentences) {
      if (!sentence.empty()) list += "<li>" + html_sentence(sentence) + "</li>\n";
    }
    return list.empty() ? "" : fmt::format("<h3>{}</h3>\n<ul>\n{}</ul>\n", heading, list);
  }

  std::string findings() const {
    std::vector<std::string> sentences = explanation_findings(plan_, results_);
    sentences.push_back(queues_in_words());
    return list_of("What follows", sentences);
  }

  std::string circumstances() const {
    return list_of("What else is known of it", stop_circumstances(plan_, *results_.deadlock));
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
        run_.topology().node_name(most->source), queue(*most),
        run_.topology().node_name(least->source), queue(*least),
        static_cast<double>(all) / static_cast<double>(sources.size()));
  }

  std::string roots() const {
    if (explanation_.roots.empty()) return "";
    using Root = const RootShare&;
    const Cycle contended = explanation_.causes.contended;
    const std::vector<TableColumn<RootShare>> columns{
        {{"cause"}, [](Root root) { return to_string(root.cause); }},
        {{"place"}, [&](Root root) { return run_.place_in_words(root.resource); }},
        {{"cycles"}, [](Root root) { return std::to_string(root.cycles); }},
        {{"share"}, [&](Root root) { return share_in_words(root.cycles, contended); }}};
    return html_fold("What the waiting comes from, as a table",
                     html_table("roots",
                                fmt::format("What the {} of waiting for others come from{}",
                                            counted(static_cast<std::uint64_t>(contended), "cycle"),
                                            cut_in_words(explanation_.roots.size())),
                                columns, explanation_.roots, page_rows,
                                [&](Root root) { return run_.subject(root.resource); }));
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
    const auto share = [](const Json& one) { return percent_in_words(one.get<double>()); };
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
      table.add({one["channel"].get<std::string>(), percent_in_words(one["share"].get<double>()),
                 one["used"].dump(), one["lost"].dump(), one["no_credit"].dump(),
                 one["empty"].dump(), one["flits"].dump(), one["most"].dump()},
                {{"channel", one["address"].get<std::string>()}});
    }
    return table.take();
  }

  void add_tree() {
    if (results_.deadlock) {
      const std::string picture =
          parts_.trial.is_null()
              ? ""
              : html_picture(
                    "tree",
                    "What waits for what when nothing can move any more; of a time before the circle closes, what waited then.");
      add("waiting", "Who waits for whom",
          picture + delivered() + circumstances() + advice() + checked_before());
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
    const Deadlock& deadlock = *results_.deadlock;
    const std::size_t count = deadlock.delivered_messages;
    if (count == 0) return html_words("No message was delivered to all that it is for.");
    std::vector<std::string> names;
    for (const MessageName& name : deadlock.delivered) {
      names.push_back(told_apart(name, run_.topology()));
    }
    if (count > names.size()) names.push_back(fmt::format("{} more", count - names.size()));
    return html_words(fmt::format("{} delivered to all that {} for: {}.",
                                  counted(count, "message") + (count == 1 ? " was" : " were"),
                                  count == 1 ? "it is" : "they are", fmt::join(names, ", ")));
  }

  // What is known without the run: the lines of the report's `static`.
  std::string checked_before() const {
    std::string list;
    std::size_t at = run_.ended.find(report_line("static", "", Style(false)).substr(0, 7));
    if (at == std::string::npos) return list;
    bool is_first = true;
    while (at < run_.ended.size() && (is_first || run_.ended[at] == ' ')) {
      const std::size_t end = std::min(run_.ended.find('\n', at), run_.ended.size());
      std::string line = run_.ended.substr(at, end - at);
      if (is_first) line.erase(0, std::string_view("static").size());
      line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
      list += "<li>" + html_sentence(line) + "</li>\n";
      is_first = false;
      at = end + 1;
    }
    return "<h3 id=\"checked\">What the check before the run said</h3>\n" +
           html_words(
               "A circle that it names is a possible one, not always the one that comes about.") +
           "<ul>\n" + list + "</ul>\n";
  }

  void add_messages() {
    const auto shown = parts_.trial["shown"].get<std::size_t>();
    const auto received = parts_.trial["receptions"].get<std::size_t>();
    if (shown == 0) return;
    const std::string words =
        shown < received
            ? fmt::format("The densities are of all {}; one by one are the slowest {}.",
                          counted(received, is_copied() ? "reception" : "message"), shown)
            : fmt::format("All {}.", all_shown_in_words(shown, received));
    add("over-time", "Messages over time",
        html_picture("messages", words + which_trial()) + sources_in_a_fold() + path());
  }

  bool is_copied() const { return explanation_.receipts > results_.messages; }

  // A message to several nodes is received at each, and under way on each of its branches.
  std::string all_shown_in_words(std::size_t shown, std::size_t received) const {
    if (shown == received) return counted(shown, is_copied() ? "reception" : "message");
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
      const std::string name = name_in_words(account, run_.topology());
      for (const PathStretch& one : message.stretches) {
        table.add({name, std::to_string(one.first), std::to_string(one.cycles),
                   to_string(one.cause), run_.place_in_words(one.resource),
                   one.blamed ? name_in_words(*one.blamed, run_.topology()) : ""},
                  run_.subject(MessageName{account.source, account.destination, account.order},
                               account.trial));
      }
    }
    return html_fold("The critical path, as a table", table.take());
  }

  std::string waits() const {
    const std::vector<ChannelWaits>& channels = explanation_.by_channel;
    using Waits = const ChannelWaits&;
    const std::vector<TableColumn<ChannelWaits>> columns{
        {{"place"}, [&](Waits one) { return run_.place_in_words(one.resource, false); }},
        {{"cycles"}, [](Waits one) { return std::to_string(one.causes.total()); }},
        {{"blamed"}, [](Waits one) { return std::to_string(one.causes.contended); }},
        {{"causes"}, [](Waits one) { return causes_in_words(one.causes); }}};
    return html_table("waits", "Channels that were waited for" + cut_in_words(channels.size()),
                      columns, channels, page_rows,
                      [&](Waits one) { return run_.subject(one.resource); });
  }

  std::string sources() const {
    const std::vector<SourceWaits>& sources = explanation_.by_source;
    using Waits = const SourceWaits&;
    const auto mean = [](Waits one) {
      return static_cast<double>(one.causes.total()) / static_cast<double>(one.receipts);
    };
    const std::vector<TableColumn<SourceWaits>> columns{
        {{"node"}, [&](Waits one) { return run_.topology().node_name(one.source); }},
        {{"receptions"}, [](Waits one) { return std::to_string(one.receipts); }},
        {{"cycles"}, [](Waits one) { return std::to_string(one.causes.total()); }},
        {{"mean"}, [&](Waits one) { return fmt::format("{:.2f}", mean(one)); }},
        {{"in its own queue"},
         [](Waits one) {
           return std::to_string(one.causes[Cause::port] + one.causes[Cause::processor]);
         }},
        {{"causes"}, [](Waits one) { return causes_in_words(one.causes); }}};
    const auto node = [&](Waits one) -> RowSubject {
      return {{"node", std::to_string(run_.topology().number_of(one.source))}};
    };
    return html_table("sources", "Messages by their source" + cut_in_words(sources.size()), columns,
                      sources, page_rows, node);
  }

  void add_unfinished() {
    const std::vector<UnfinishedMessage>& unfinished = explanation_.unfinished;
    using Message = const UnfinishedMessage&;
    const std::vector<TableColumn<UnfinishedMessage>> columns{
        {{"message"}, [&](Message one) { return name_in_words(one.name, run_.topology()); }},
        {{"to"}, [&](Message one) { return end_in_words(one); }},
        {{"created"}, [](Message one) { return std::to_string(one.created); }},
        {{"until"}, [](Message one) { return std::to_string(one.until); }},
        {{"causes"}, [](Message one) { return causes_in_words(one.causes); }},
        {{"because of"}, [&](Message one) { return in_words(one.blames, 10, run_.topology()); }}};
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
                                       columns, unfinished, page_rows, [&](Message one) {
                                         return run_.subject(one.resource, one.name, one.trial);
                                       })));
  }

  // `node 5`, or of a branch that has not come to a node `beyond channel 5 -> 4 (+x)`
  std::string end_in_words(const UnfinishedMessage& one) const {
    if (one.name.v && !one.name.join) return "node " + run_.topology().node_name(*one.name.v);
    if (one.resource.kind == Resource::Kind::ejection) {
      return "node " + run_.topology().node_name(one.resource.node);
    }
    return "beyond " + run_.place_in_words(one.resource);
  }

  void add_contention() {
    using Event = const ContentionEvent&;
    const std::vector<TableColumn<ContentionEvent>> columns{
        {{"trial"}, [](Event one) { return std::to_string(one.trial); }},
        {{"cycle"}, [](Event one) { return std::to_string(one.cycle); }},
        {{"cycles"}, [](Event one) { return std::to_string(one.cycles); }},
        {{"node"}, [&](Event one) { return run_.topology().node_name(one.channel.node); }},
        {{"port"}, [](Event one) { return std::to_string(index(one.channel.port)); }},
        {{"waits"}, [&](Event one) { return name_in_words(one.waiting, run_.topology()); }},
        {{"holds"}, [&](Event one) { return name_in_words(one.holding, run_.topology()); }}};
    // A channel is an ejection channel where messages meet at a receiver.
    const auto event = [&](Event one) {
      const auto port = static_cast<int>(index(one.channel.port));
      const auto kind =
          port < plan_.router.external_ports ? Resource::Kind::channel : Resource::Kind::ejection;
      RowSubject about = run_.subject({kind, one.channel.node, port}, one.waiting, one.trial);
      if (run_.is_drawn(one.trial)) {
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
                         columns, contention->list, page_rows, event);
    }
    add("events", "Contention",
        body.empty() ? html_words("No message was kept off a channel by another one.")
                     : until_the_deadlock() + html_fold("Every event, as a table", body));
  }

  // A wait that lasts to the end is one cycle longer here than in all other lists.
  std::string until_the_deadlock() const {
    if (!results_.deadlock) return "";
    const Cycle end = results_.deadlock->cycle;
    const std::vector<ContentionEvent>& events = results_.contention.list;
    const bool lasts = std::any_of(events.begin(), events.end(), [&](const ContentionEvent& one) {
      return one.cycle + one.cycles > end;
    });
    if (!lasts) return "";
    return html_words(fmt::format(
        "These events, and the blocked cycles that are their sum, are counted up to and with cycle {}, that of the deadlock. All other lists and pictures end with cycle {}: of what waits to the end they have one cycle less.",
        end, end - 1));
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

  const RunPageFacts& run_;
  const RunPlan& plan_;
  const Results& results_;
  const Explanation& explanation_;
  const RunPageParts& parts_;
  std::vector<PageSection> sections_;
};

}  // namespace

std::vector<PageSection> run_page_sections(const RunPageFacts& run) {
  return RunPageSections(run).take();
}

}  // namespace allport
