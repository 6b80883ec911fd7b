// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/synthetic_traffic.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>

#include "rtl_model/base/range.h"

namespace allport {

namespace {

// This number is beyond all trials, so that no pattern repeats the draws of a jitter.
constexpr auto pattern_trial = static_cast<std::uint64_t>(limits::trials.high);

template <class Number>
void require_that(bool is_within, const char* what, Number value, const std::string& range) {
  if (is_within) return;
  std::ostringstream message;
  message << what << " " << value << " must be " << range;
  throw std::invalid_argument(message.str());
}

void require_lengths(const TrafficRequest& request) {
  require_range("flits", request.flits, limits::flits);
  if (request.flits_long == 0) return;
  require_range("long messages of flits", request.flits_long, limits::flits);
  require_that(request.flits_long > request.flits, "long messages of flits", request.flits_long,
               "more than the " + std::to_string(request.flits) + " of the short ones");
  require_that(request.long_fraction >= 0 && request.long_fraction <= 1, "long fraction",
               request.long_fraction, "0..1");
}

void require_loop(const ClosedLoop& loop) {
  require_range("outstanding", loop.outstanding, limits::outstanding);
  require_range("reply flits", loop.reply_flits, limits::flits);
  require_range("service", loop.service, limits::node_cycles);
}

void require_cycles(const TrafficRequest& request) {
  require_range("cycles", request.cycles, limits::cycles);
  require_that(request.warmup >= 0 && request.warmup <= std::max<Cycle>(request.cycles - 1, 0),
               "warm-up", request.warmup, "0 or more, and less than the cycles");
}

void require_hotspots(const TrafficRequest& request, const Topology& topology) {
  if (!request.pattern->has_hotspots) return;
  if (request.hotspots.empty()) throw std::invalid_argument("there must be at least one hotspot");
  for (const NodeId node : request.hotspots) require_node(topology, index(node), "hotspot");
  require_that(request.hotspot_fraction >= 0 && request.hotspot_fraction <= 1, "hotspot fraction",
               request.hotspot_fraction, "0..1");
}

double start_probability(const TrafficRequest& request) {
  const double mean = request.mean_flits();
  std::ostringstream range;
  range << "0.." << mean << " flits per node and cycle, at most one message per cycle";
  const double probability = request.rate / mean;
  require_that(probability >= 0 && probability <= 1, "rate", request.rate, range.str());
  return probability;
}

NodeId draw_other(std::size_t nodes, NodeId node, SplitMix64& generator) {
  const auto drawn = static_cast<std::size_t>(generator.next() % (nodes - 1));
  return node_id(drawn < index(node) ? drawn : drawn + 1);
}

}  // namespace

std::uint64_t draw_threshold(double probability) {
  std::uint64_t threshold = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63; bit != 0; bit >>= 1) {
    if (static_cast<double>(threshold + bit - 1) * 0x1p-64 < probability) threshold += bit;
  }
  return threshold;
}

double TrafficRequest::mean_flits() const {
  if (flits_long == 0) return flits;
  return flits + long_fraction * (flits_long - flits);
}

int TrafficRequest::longest_flits() const {
  if (loop) return std::max(flits, loop->reply_flits);
  if (flows == nullptr) return std::max(flits, flits_long);
  int longest = 1;
  for (const Flow& flow : flows->flows) longest = std::max(longest, flow.flits);
  return longest;
}

std::vector<TrafficRequest::Load> TrafficRequest::loads(std::size_t nodes) const {
  if (flows == nullptr) return {{rate / mean_flits(), mean_flits()}};
  std::vector<Load> all(nodes);
  for (const Flow& flow : flows->flows) {
    const double share = static_cast<double>(flow.cycles_on(cycles)) / static_cast<double>(cycles);
    Load& load = all[index(flow.source)];
    load.messages += flow.rate / flow.flits * share;
    load.flits += flow.rate * share;
  }
  for (Load& load : all) load.flits = load.messages > 0 ? load.flits / load.messages : 1;
  return all;
}

double TrafficRequest::messages(std::size_t nodes) const {
  if (loop) return 2.0 * loop->outstanding * static_cast<double>(nodes);  // at least
  double per_cycle = 0;
  for (const Load& load : loads(nodes)) per_cycle += load.messages;
  if (flows == nullptr) per_cycle *= static_cast<double>(nodes);
  return per_cycle * static_cast<double>(cycles);
}

SyntheticTraffic::SyntheticTraffic(const TrafficRequest& request, const Topology& topology,
                                   const std::atomic<bool>* stop)
    : request_(request), topology_(topology), stop_(stop) {
  require_cycles(request);
  if (request.flows != nullptr) {
    const std::string fault = flow_fault(*request.flows, topology);
    if (!fault.empty()) throw std::invalid_argument(fault);
    flows_of_.resize(topology.node_count());
    for (std::uint32_t i = 0; i < request.flows->flows.size(); ++i) {
      const Flow& flow = request.flows->flows[i];
      flows_of_[index(flow.source)].push_back(i);
      gaps_.emplace_back(flow.rate / flow.flits);
    }
    return;
  }
  require_lengths(request);
  if (request.loop) require_loop(*request.loop);
  require_hotspots(request, topology);
  require_defined(*request.pattern, topology);
  gaps_.emplace_back(start_probability(request));
  hotspot_threshold_ = draw_threshold(request.hotspot_fraction);
  long_threshold_ = draw_threshold(request.long_fraction);
  if (!request.pattern->has_hotspots) return;
  is_hotspot_.resize(topology.node_count());
  for (const NodeId node : request.hotspots) {
    require_that(!is_hotspot_[index(node)], "hotspot", index(node), "named once");
    is_hotspot_[index(node)] = true;
  }
}

bool SyntheticTraffic::sends(NodeId node) const {
  const auto partner = request_.pattern->partner;
  return partner == nullptr || partner(topology_, node) != node;
}

SplitMix64 SyntheticTraffic::generator(std::size_t place) const {
  return SplitMix64(node_seed(request_.seed, pattern_trial, place));
}

NodeId SyntheticTraffic::draw_destination(NodeId node, SplitMix64& generator) const {
  const Pattern& pattern = *request_.pattern;
  if (pattern.partner != nullptr) return pattern.partner(topology_, node);
  const bool is_hot = pattern.has_hotspots && generator.next() < hotspot_threshold_;
  return is_hot ? draw_hotspot(node, generator)
                : draw_other(topology_.node_count(), node, generator);
}

// One of the hotspots other than `node`; if there is none, any other node, as in uniform.
NodeId SyntheticTraffic::draw_hotspot(NodeId node, SplitMix64& generator) const {
  const std::vector<NodeId>& hotspots = request_.hotspots;
  const bool is_one = is_hotspot_[index(node)];
  const std::size_t others = hotspots.size() - (is_one ? 1 : 0);
  if (others == 0) return draw_other(topology_.node_count(), node, generator);
  auto drawn = static_cast<std::size_t>(generator.next() % others);
  if (is_one) {
    const auto self = std::find(hotspots.begin(), hotspots.end(), node);
    if (drawn >= static_cast<std::size_t>(self - hotspots.begin())) ++drawn;
  }
  return hotspots[drawn];
}

int SyntheticTraffic::draw_flits(SplitMix64& generator) const {
  if (request_.flits_long == 0) return request_.flits;
  return generator.next() < long_threshold_ ? request_.flits_long : request_.flits;
}

MessageSource::MessageSource(const SyntheticTraffic& traffic, NodeId node)
    : traffic_(&traffic), node_(node) {
  const TrafficRequest& request = traffic.request();
  if (request.flows == nullptr) {
    if (traffic.gap(0).is_never() || !traffic.sends(node)) return;
    streams_.push_back({traffic.generator(index(node)), &traffic.gap(0), request.cycles, nullptr});
    return;
  }
  for (const std::uint32_t place : traffic.flows_of(node)) {
    const Flow& flow = request.flows->flows[place];
    const GeometricGap& gap = traffic.gap(place);
    if (gap.is_never()) continue;
    streams_.push_back({traffic.generator(place), &gap, flow.cycles_on(request.cycles), &flow});
  }
  for (std::size_t i = 0; i < streams_.size(); ++i) expect(i);
}

std::optional<Cycle> MessageSource::Stream::next() {
  passed += gap->draw(generator);
  if (passed >= cycles) return std::nullopt;
  return passed++;
}

void MessageSource::expect(std::size_t stream) {
  Stream& one = streams_[stream];
  if (const auto place = one.next()) due_.emplace(one.flow->cycle_on(*place), stream);
}

std::optional<Start> MessageSource::next() {
  if (streams_.empty() || traffic_->is_stopped()) return std::nullopt;
  return streams_.front().flow == nullptr ? next_of_pattern() : next_of_flows();
}

std::optional<Start> MessageSource::next_of_pattern() {
  Stream& stream = streams_.front();
  const auto cycle = stream.next();
  if (!cycle) return std::nullopt;
  const NodeId destination = traffic_->draw_destination(node_, stream.generator);
  const TieMask ties = traffic_->ties(node_, destination, number_++);
  return Start{*cycle, destination, traffic_->draw_flits(stream.generator), ties};
}

// Of several flows in one cycle the first of the table is first.
std::optional<Start> MessageSource::next_of_flows() {
  if (due_.empty()) return std::nullopt;
  const auto [cycle, stream] = due_.top();
  due_.pop();
  const Flow& flow = *streams_[stream].flow;
  expect(stream);
  const TieMask ties = traffic_->ties(node_, flow.destination, number_++);
  return Start{cycle, flow.destination, flow.flits, ties};
}

}  // namespace allport
