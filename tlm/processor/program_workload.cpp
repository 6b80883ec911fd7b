// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/program_workload.h"

#include <algorithm>
#include <utility>

#include "tlm/processor/program_rank.h"

namespace allport {

ProgramWorkload::ProgramWorkload(const TaskMachine& machine) : machine_(machine) {}
ProgramWorkload::~ProgramWorkload() = default;

void ProgramWorkload::load(const std::vector<Program*>& programs, const std::vector<NodeId>& nodes,
                           CollectivePlanner& planner, HostLink* host, Program* host_program) {
  nodes_ = nodes;
  size_ = static_cast<std::uint32_t>(programs.size());
  host_ = host;
  const std::size_t node_count = machine_.routing.topology().node_count();
  rank_at_.assign(node_count + 1, no_rank);
  plans_ = std::make_unique<CollectivePlans>(planner, size_);
  ranks_.clear();
  for (std::uint32_t rank = 0; rank < programs.size(); ++rank) {
    rank_at_[index(nodes[rank])] = rank;
    ranks_.push_back(std::make_unique<Rank>(*this, rank, *programs[rank]));
  }
  if (host == nullptr) return;
  nodes_.push_back(node_id(node_count));
  rank_at_[node_count] = size_;
  ranks_.push_back(std::make_unique<Rank>(*this, size_, *host_program));
}

Cycle ProgramWorkload::makespan() const {
  Cycle last = 0;
  for (const auto& rank : ranks_) last = std::max(last, rank->times().end);
  return last;
}

RankTimes ProgramWorkload::times(std::size_t rank) const { return ranks_[rank]->times(); }

void ProgramWorkload::reset() {
  under_way_.clear();
  held_.clear();
  free_held_.clear();
  matching_.reset(true);
  calls_.reset(size_);
  problems_.clear();
  ended_ = serving_ = 0;
  under_way_count_ = 0;
}

// Nobody is left to ask when every rank has ended or waits to be asked, and nothing is under way.
void ProgramWorkload::end_services() {
  if (serving_ == 0 || under_way_count_ > 0 || ended_ + serving_ < ranks_.size()) return;
  for (const auto& rank : ranks_) rank->end_service();
}

std::uint32_t ProgramWorkload::hold(Held held) {
  if (free_held_.empty()) {
    held_.push_back(std::move(held));
    return static_cast<std::uint32_t>(held_.size() - 1);
  }
  const std::uint32_t place = free_held_.back();
  free_held_.pop_back();
  held_[place] = std::move(held);
  return place;
}

Cycle ProgramWorkload::flits(std::size_t bytes) const {
  const auto whole = static_cast<Cycle>(std::max<std::size_t>(bytes, 1));
  return (whole - 1) / machine_.node.flit_bytes + 1;
}

Cycle ProgramWorkload::takeover(std::size_t bytes) const {
  return machine_.model.takeover(machine_.node.tr, flits(bytes));
}

void ProgramWorkload::on_arrival(NodeId node, tlm::tlm_generic_payload& message, Cycle now) {
  const MessageExtension& extension = *message_extension(message);
  const std::uint32_t from = rank_at_[index(extension.source)];
  const auto found = under_way_.find(key(from, extension.order));
  const Envelope envelope = found->second;
  under_way_.erase(found);
  const unsigned char* const data = message.get_data_ptr();
  const std::uint32_t held = hold({envelope, {data, data + envelope.bytes}, &message});
  const Cycle due = machine_.model.receive_occupies ? now : now + takeover(envelope.bytes);
  ranks_[rank_at_[index(node)]]->add_arrival(due, from, extension.order, held);
}

void ProgramWorkload::on_sent(NodeId node, tlm::tlm_generic_payload& message, Cycle now) {
  ranks_[rank_at_[index(node)]]->note_sent(message_extension(message)->internal_port, now);
}

Cycle ProgramWorkload::act(NodeId node, Cycle now, ProcessorHands& hands) {
  hands_ = &hands;
  const std::uint32_t rank = rank_at_[index(node)];
  return rank == no_rank ? never : ranks_[rank]->act(now);
}

}  // namespace allport
