// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/chunk_flow.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace allport {

namespace {

constexpr std::size_t most_values = std::size_t{1} << 24;  // blocks that cells hold over time

// `o[5]`
std::string in_words(const ChunkPlace& place) {
  return std::string(1, place.buffer) + "[" + std::to_string(place.offset) + "]";
}

ChunkPlace after(ChunkPlace place, std::size_t chunks) {
  place.offset += chunks;
  return place;
}

}  // namespace

ChunkFlow::ChunkFlow(const MscclProgram& program, const Collective& goal, const StepOrder& order,
                     Finding& findings)
    : program_(program),
      goal_(goal),
      order_(order),
      layout_(program, goal),
      message_of_(order.size(), no_value) {
  fill();
  for (const StepId id : order.in_order()) follow(id, findings);
  if (!findings.ok()) return;  // what went wrong at first is what is to be said
  for (std::size_t gpu = 0; gpu < program.gpus.size(); ++gpu) judge(gpu, findings);
}

void ChunkFlow::fill() {
  for (std::size_t gpu = 0; gpu < program_.gpus.size(); ++gpu) {
    std::vector<Cell>& cells = cells_.emplace_back(layout_.cell_count(gpu));
    for (std::size_t i = 0; i < layout_.input_size(); ++i) {
      const BlockId block = layout_.input_block(gpu, i);
      if (!goal_.holds_before(node_id(gpu), block)) continue;
      cells[*layout_.cell(gpu, {'i', i})].value = static_cast<ValueId>(values_.size());
      values_.push_back({block, true, {}, Contributions(node_id(gpu))});
    }
  }
}

ChunkFlow::Cell* ChunkFlow::find(StepId id, const ChunkPlace& place, const char* does,
                                 Finding& findings) {
  const std::size_t gpu = order_.gpu(id);
  if (const auto cell = layout_.cell(gpu, place)) return &cells_[gpu][*cell];
  const std::size_t size = layout_.size_of(gpu, place.buffer);
  findings.add(order_.describe(id) + ": it " + does + " " + in_words(place) + ", but the buffer " +
               (size == 0 ? "has no chunks" : "ends at " + in_words({place.buffer, size - 1})));
  return nullptr;
}

ValueId ChunkFlow::read(StepId id, const ChunkPlace& place, Finding& findings) {
  Cell* const cell = find(id, place, "reads", findings);
  if (cell == nullptr) return no_value;
  if (cell->writer != no_step && !order_.is_before(cell->writer, id)) {
    findings.add(order_.describe(id) + ": it reads " + in_words(place) + ", which " +
                 order_.describe(cell->writer) + " writes, and nothing makes it wait for that");
  } else if (cell->value == no_value) {
    findings.add(order_.describe(id) + ": it reads " + in_words(place) +
                 ", which holds nothing yet");
  }
  reads_.push_back({id, cell->reads});
  cell->reads = static_cast<std::uint32_t>(reads_.size() - 1);
  return cell->value;
}

void ChunkFlow::write(StepId id, const ChunkPlace& place, ValueId value, Finding& findings) {
  Cell* const cell = find(id, place, "writes", findings);
  if (cell == nullptr) return;
  const auto require_past = [&](StepId other, const char* does) {
    if (other == id || order_.is_before(other, id)) return;
    findings.add(order_.describe(id) + ": it overwrites " + in_words(place) + ", which " +
                 order_.describe(other) + " " + does + ", and nothing makes it wait for that");
  };
  if (cell->writer != no_step) require_past(cell->writer, "writes");
  for (std::uint32_t i = cell->reads; i != no_read; i = reads_[i].next) {
    require_past(reads_[i].reader, "reads");
  }
  *cell = {value, id, no_read};
}

// What the message of receive `id` brings, as the receiver knows it.
std::vector<ValueId> ChunkFlow::received(StepId id) {
  const std::uint32_t message = message_of_[order_.sender(id)];
  std::vector<ValueId> values;
  for (const ValueId sent : messages_[message].values) {
    values.push_back(sent == no_value ? no_value : static_cast<ValueId>(values_.size()));
    if (sent == no_value) continue;
    ChunkValue value{values_[sent].block, false, {message}, values_[sent].contributions};
    values_.push_back(std::move(value));
  }
  return values;
}

ValueId ChunkFlow::sum(StepId id, ValueId a, ValueId b, Finding& findings) {
  if (a == no_value || b == no_value) return no_value;
  const ChunkValue& one = values_[a];
  const ChunkValue& other = values_[b];
  std::string fault;
  if (!goal_.is_reduction()) {
    fault = "it reduces, but the blocks of " + std::string(to_string(goal_.operation())) +
            " are not sums";
  } else if (one.block != other.block) {
    fault = "it adds chunks of blocks " + std::to_string(one.block) + " and " +
            std::to_string(other.block);
  } else if (const auto twice = one.contributions.common(other.contributions)) {
    fault = "it adds the contribution of gpu " + std::to_string(index(*twice)) + " to block " +
            std::to_string(one.block) + " twice";
  }
  if (!fault.empty()) {
    findings.add(order_.describe(id) + ": " + fault);
    return no_value;
  }
  ChunkValue both{one.block, one.has_own || other.has_own, {}, one.contributions};
  std::set_union(one.messages.begin(), one.messages.end(), other.messages.begin(),
                 other.messages.end(), std::back_inserter(both.messages));
  both.contributions.add(other.contributions);
  values_.push_back(std::move(both));
  return static_cast<ValueId>(values_.size() - 1);
}

void ChunkFlow::follow(StepId id, Finding& findings) {
  const MscclStep& step = order_.step(id);
  std::vector<ValueId> values = receives(step.action) ? received(id) : std::vector<ValueId>{};
  if (values.empty()) values.assign(step.count, no_value);
  for (std::size_t i = 0; i < step.count; ++i) {
    ValueId& value = values[i];
    if (reads_source(step.action)) {
      const ValueId source = read(id, after(step.source, i), findings);
      value = receives(step.action) ? sum(id, value, source, findings) : source;
    }
    if (step.action == MscclAction::reduce) {
      value = sum(id, value, read(id, after(step.destination, i), findings), findings);
    }
    if (writes(step.action)) write(id, after(step.destination, i), value, findings);
  }
  if (values_.size() + reads_.size() > most_values) {
    throw std::invalid_argument("the steps read and write more than " +
                                std::to_string(most_values) + " chunks, which is the limit");
  }
  if (!sends(step.action)) return;
  message_of_[id] = static_cast<std::uint32_t>(messages_.size());
  messages_.push_back({id, std::move(values)});
}

std::string ChunkFlow::result_fault(const Cell& cell, BlockId block) const {
  if (cell.value == no_value) return "holds nothing";
  const ChunkValue& value = values_[cell.value];
  if (value.block != block) return "holds block " + std::to_string(value.block);
  const std::size_t count = value.contributions.count();
  if (!goal_.is_reduction() || count == goal_.node_count()) return {};
  return "holds " + std::to_string(count) + " of " + std::to_string(goal_.node_count()) +
         " contributions";
}

void ChunkFlow::judge(std::size_t gpu, Finding& findings) const {
  for (std::size_t i = 0; i < layout_.output_size(); ++i) {
    const BlockId block = layout_.output_block(gpu, i);
    if (!goal_.must_hold(node_id(gpu), block)) continue;
    const Cell& cell = cells_[gpu][*layout_.cell(gpu, {'o', i})];
    const std::string fault = result_fault(cell, block);
    if (fault.empty()) continue;
    std::string words =
        cell.writer == no_step
            ? "gpu " + std::to_string(gpu) + ": no step writes o[" + std::to_string(i) + "], which"
            : order_.describe(cell.writer) + ": it is the last to write o[" + std::to_string(i) +
                  "], which";
    words += goal_.is_reduction() ? " must be the sum of block " : " must be block ";
    words += std::to_string(block) + " in the end and " + fault;
    findings.add(words);
  }
}

std::vector<ValueId> ChunkFlow::results(std::size_t gpu) const {
  std::vector<ValueId> values;
  for (std::size_t i = 0; i < layout_.output_size(); ++i) {
    if (!goal_.must_hold(node_id(gpu), layout_.output_block(gpu, i))) continue;
    values.push_back(cells_[gpu][*layout_.cell(gpu, {'o', i})].value);
  }
  return values;
}

}  // namespace allport
