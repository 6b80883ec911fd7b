// SPDX-License-Identifier: Apache-2.0
// This file puts explanations into JSON and into tables.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include "testbench/program/report/explain_report.h"
#include "testbench/results/statistics.h"

namespace allport {

namespace {

const char* kind_name(Resource::Kind kind) {
  switch (kind) {
    case Resource::Kind::channel:
      return "external";
    case Resource::Kind::injection:
      return "injection";
    case Resource::Kind::ejection:
      return "ejection";
    case Resource::Kind::processor:
      break;
  }
  return "processor";
}

Json resource_json(const Resource& resource, bool with_vc) {
  Json json{{"kind", kind_name(resource.kind)}, {"node", index(resource.node)}};
  if (resource.kind != Resource::Kind::processor) json["port"] = resource.port;
  if (with_vc && resource.kind == Resource::Kind::channel) json["vc"] = resource.vc;
  return json;
}

Json sent_json(const MessageName& name) {
  Json json{{"u", index(name.u)}};
  if (name.v) json["v"] = index(*name.v);
  json["order"] = name.order;
  return json;
}

Json account_json(const MessageAccount& account) {
  Json json = json_of(account);
  json.update(json_of(account.causes));
  return json;
}

Json group_json(const GroupWaits& group) {
  Json json{{"receipts", group.receipts}};
  json.update(json_of(group.causes));
  return json;
}

Json path_json(const std::vector<PathMessage>& path) {
  Json list = Json::array();
  for (const PathMessage& message : path) {
    Json entry = account_json(message.account);
    Json stretches = Json::array();
    for (const PathStretch& stretch : message.stretches) {
      Json one{{"cause", to_string(stretch.cause)},
               {"first", stretch.first},
               {"cycles", stretch.cycles},
               {"place", resource_json(stretch.resource, true)}};
      if (stretch.blamed) one["blamed"] = sent_json(*stretch.blamed);
      stretches.push_back(std::move(one));
    }
    entry["stretches"] = std::move(stretches);
    list.push_back(std::move(entry));
  }
  return list;
}

Json blames_json(const std::vector<Blame>& blames) {
  Json list = Json::array();
  for (const Blame& blame : blames) {
    list.push_back({{"cause", to_string(blame.cause)},
                    {"blamed", sent_json(blame.blamed)},
                    {"cycles", blame.cycles}});
    if (blame.messages > 1) list.back()["messages"] = blame.messages;
  }
  return list;
}

Json unfinished_json(const std::vector<UnfinishedMessage>& unfinished) {
  Json list = Json::array();
  for (const UnfinishedMessage& one : unfinished) {
    Json entry{{"trial", one.trial}, {"message", sent_json(one.name)},
               {"flits", one.flits}, {"created", one.created},
               {"until", one.until}, {"place", resource_json(one.resource, true)}};
    entry.update(json_of(one.causes));
    entry["blames"] = blames_json(one.blames);
    list.push_back(std::move(entry));
  }
  return list;
}

using Out = std::back_insert_iterator<fmt::memory_buffer>;

// The names of the statistics of a message, a comma after each.
void add_names(Presence presence, Out out) {
  for (const Statistic<MessageAccount>& one : statistics_of<MessageAccount>()) {
    if (one.presence == presence) fmt::format_to(out, "{},", one.name);
  }
}

// Its values, which are whole numbers or not there.
void add_values(const MessageAccount& message, Presence presence, Out out) {
  for (const Statistic<MessageAccount>& one : statistics_of<MessageAccount>()) {
    if (one.presence != presence) continue;
    if (one.is_there == nullptr || (message.*one.is_there)()) {
      fmt::format_to(out, "{}", one.value(message).get<std::int64_t>());
    }
    fmt::format_to(out, ",");
  }
}

// The column of a cause, which has another name than those of the statistics.
std::string column_of(Cause cause) {
  const Statistics<MessageAccount>& rows = statistics_of<MessageAccount>();
  const std::string name = to_string(cause);
  const bool is_taken =
      std::any_of(rows.begin(), rows.end(), [&](const auto& one) { return name == one.name; });
  return is_taken ? "waiting_" + name : name;
}

// In place of the last comma.
void end_line(fmt::memory_buffer& text) { text[text.size() - 1] = '\n'; }

}  // namespace

Json explanation_json(const Explanation& explanation) {
  Json json{{"receipts", explanation.receipts}};
  json.update(json_of(explanation.causes));
  json["path"] = path_json(explanation.path);
  json["roots"] = Json::array();
  for (const RootShare& root : explanation.roots) {
    json["roots"].push_back({{"cause", to_string(root.cause)},
                             {"place", resource_json(root.resource, true)},
                             {"cycles", root.cycles}});
  }
  json["by_channel"] = Json::array();
  for (const ChannelWaits& waits : explanation.by_channel) {
    Json entry{{"place", resource_json(waits.resource, false)}};
    entry.update(json_of(waits.causes));
    json["by_channel"].push_back(std::move(entry));
  }
  json["by_source"] = Json::array();
  for (const SourceWaits& source : explanation.by_source) {
    Json entry{{"source", index(source.source)}, {"receipts", source.receipts}};
    entry.update(json_of(source.causes));
    json["by_source"].push_back(std::move(entry));
  }
  json["by_hops"] = Json::array();
  for (std::size_t hops = 0; hops < explanation.by_hops.size(); ++hops) {
    if (explanation.by_hops[hops].receipts == 0) continue;
    Json entry{{"hops", hops}};
    entry.update(group_json(explanation.by_hops[hops]));
    json["by_hops"].push_back(std::move(entry));
  }
  if (explanation.slowest.receipts > 0) json["slowest"] = group_json(explanation.slowest);
  if (!explanation.unfinished.empty()) json["unfinished"] = unfinished_json(explanation.unfinished);
  if (explanation.unexplained > 0) json["unexplained"] = explanation.unexplained;
  json["messages"] = Json::array();
  for (const MessageAccount& account : explanation.messages) {
    Json entry = account_json(account);
    entry["blames"] = blames_json(account.blames);
    json["messages"].push_back(std::move(entry));
  }
  return json;
}

std::string messages_csv(const std::vector<MessageAccount>& messages) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  add_names(Presence::always, out);
  for (const Cause cause : causes()) fmt::format_to(out, "{},", column_of(cause));
  fmt::format_to(out, "contended,");
  add_names(Presence::at_times, out);
  end_line(text);
  for (const MessageAccount& one : messages) {
    add_values(one, Presence::always, out);
    for (const Cause cause : causes()) fmt::format_to(out, "{},", one.causes[cause]);
    fmt::format_to(out, "{},", one.causes.contended);
    add_values(one, Presence::at_times, out);
    end_line(text);
  }
  return fmt::to_string(text);
}

std::string channels_csv(const std::vector<ChannelUse>& channels) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(
      out,
      "trial,from,cycles,channel,node,port,flits,load,used,lost,no_credit,empty,idle,messages,most_waiting\n");
  for (const ChannelUse& one : channels) {
    fmt::format_to(out, "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", one.trial, one.from,
                   one.cycles, kind_name(one.resource.kind), index(one.resource.node),
                   one.resource.port, one.flits,
                   static_cast<double>(one.flits) / static_cast<double>(one.cycles), one.used,
                   one.lost, one.no_credit, one.empty, one.idle, one.messages, one.most_waiting);
  }
  return fmt::to_string(text);
}

}  // namespace allport
