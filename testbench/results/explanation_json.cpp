// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/explanation_json.h"

#include <utility>

#include "testbench/results/statistics.h"

namespace allport {

namespace {

Json resource_json(const Resource& resource, const Topology& topology, bool with_vc) {
  Json json{{"kind", to_string(resource.kind)}, {"node", node_json(resource.node, topology)}};
  if (resource.kind != Resource::Kind::processor) json["port"] = resource.port;
  if (with_vc && resource.kind == Resource::Kind::channel) json["vc"] = resource.vc;
  return json;
}

Json sent_json(const MessageName& name, const Topology& topology) {
  Json json{{"u", node_json(name.u, topology)}};
  if (name.v) json["v"] = node_json(*name.v, topology);
  json["order"] = name.order;
  return json;
}

Json account_json(const MessageAccount& account, const Topology& topology) {
  Json json = json_of(account, topology);
  json.update(json_of(account.causes));
  return json;
}

Json group_json(const GroupWaits& group) {
  Json json{{"receipts", group.receipts}};
  json.update(json_of(group.causes));
  return json;
}

Json path_json(const std::vector<PathMessage>& path, const Topology& topology) {
  Json list = Json::array();
  for (const PathMessage& message : path) {
    Json entry = account_json(message.account, topology);
    Json stretches = Json::array();
    for (const PathStretch& stretch : message.stretches) {
      Json one{{"cause", to_string(stretch.cause)},
               {"first", stretch.first},
               {"cycles", stretch.cycles},
               {"place", resource_json(stretch.resource, topology, true)}};
      if (stretch.blamed) one["blamed"] = sent_json(*stretch.blamed, topology);
      stretches.push_back(std::move(one));
    }
    entry["stretches"] = std::move(stretches);
    list.push_back(std::move(entry));
  }
  return list;
}

Json blames_json(const std::vector<Blame>& blames, const Topology& topology) {
  Json list = Json::array();
  for (const Blame& blame : blames) {
    list.push_back({{"cause", to_string(blame.cause)},
                    {"blamed", sent_json(blame.blamed, topology)},
                    {"cycles", blame.cycles}});
    if (blame.messages > 1) list.back()["messages"] = blame.messages;
  }
  return list;
}

Json unfinished_json(const std::vector<UnfinishedMessage>& unfinished, const Topology& topology) {
  Json list = Json::array();
  for (const UnfinishedMessage& one : unfinished) {
    Json entry{{"trial", one.trial}, {"message", sent_json(one.name, topology)},
               {"flits", one.flits}, {"created", one.created},
               {"until", one.until}, {"place", resource_json(one.resource, topology, true)}};
    entry.update(json_of(one.causes));
    entry["blames"] = blames_json(one.blames, topology);
    list.push_back(std::move(entry));
  }
  return list;
}

Json to_bound_json(const WayToBound& way) {
  Json json{{"bound", way.bound}, {"by", way.by}, {"cycles", way.cycles}, {"parts", Json::array()}};
  for (const ExcessPart& one : way.parts) {
    Json part{{"part", to_string(one.part)}, {"cycles", one.cycles}};
    for (const ExcessStep& step : one.steps) {
      part["steps"].push_back(
          {{"step", step.step}, {"cycles", step.cycles}, {"transfer", step.transfer}});
    }
    json["parts"].push_back(std::move(part));
  }
  return json;
}

}  // namespace

Json explanation_json(const Explanation& explanation, const Topology& topology) {
  Json json{{"receipts", explanation.receipts}};
  json.update(json_of(explanation.causes));
  json["path"] = path_json(explanation.path, topology);
  json["to_bound"] = explanation.to_bound ? to_bound_json(*explanation.to_bound) : Json();
  if (!explanation.to_bound) json["no_bound"] = explanation.no_bound;
  json["roots"] = Json::array();
  for (const RootShare& root : explanation.roots) {
    json["roots"].push_back({{"cause", to_string(root.cause)},
                             {"place", resource_json(root.resource, topology, true)},
                             {"cycles", root.cycles}});
  }
  json["by_channel"] = Json::array();
  for (const ChannelWaits& waits : explanation.by_channel) {
    Json entry{{"place", resource_json(waits.resource, topology, false)}};
    entry.update(json_of(waits.causes));
    json["by_channel"].push_back(std::move(entry));
  }
  json["by_source"] = Json::array();
  for (const SourceWaits& source : explanation.by_source) {
    Json entry{{"source", node_json(source.source, topology)}, {"receipts", source.receipts}};
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
  if (!explanation.unfinished.empty())
    json["unfinished"] = unfinished_json(explanation.unfinished, topology);
  if (explanation.unexplained > 0) json["unexplained"] = explanation.unexplained;
  json["messages"] = Json::array();
  for (const MessageAccount& account : explanation.messages) {
    Json entry = account_json(account, topology);
    entry["blames"] = blames_json(account.blames, topology);
    json["messages"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace allport
