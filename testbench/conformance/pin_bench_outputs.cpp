// SPDX-License-Identifier: Apache-2.0
// This file compares what comes out of the router with what went in.
#include <algorithm>
#include <optional>
#include <sstream>
#include <string>

#include "rtl_model/router/vc_choice.h"
#include "rtl_model/systemc/route_computation.h"
#include "testbench/conformance/pin_bench.h"
#include "testbench/observe/lockstep/difference.h"

namespace allport {

namespace {

std::string in_words(const Flit& flit) {
  std::ostringstream text;
  text << flit;
  return text.str();
}

// `: via is (6) instead of (5)`, the first field in which the two differ.
std::string difference_in_words(const Flit& found, const Flit& wanted) {
  const std::optional<FieldDifference> first = first_difference(found, wanted);
  return first ? ": " + first->field + " is " + first->a + " instead of " + first->b : "";
}

}  // namespace

void PinBench::look_at_flits() {
  for (int output = 0; output < config_.ports() && !offence_; ++output) {
    if (get_bit(model_->outputs().valid_o, static_cast<std::size_t>(output))) look_at_flit(output);
  }
}

void PinBench::look_at_flit(int output) {
  const Flit flit = layout_.unpack(model_->outputs().flit_o, output);
  const int vc = static_cast<int>(index(flit.vc));
  last_activity_ = now_;
  ++flits_out_;
  if (vc >= config_.vcs_of(output)) {
    offend("codes", place("output", output, vc) + ": there is no such VC");
    return;
  }
  OutputVc& state = outputs_[static_cast<std::size_t>(config_.channel_vc(output, vc))];
  if (++state.unreturned > config_.buffer_depth) {
    offend("credits", place("output", output, vc) + ": a flit was sent without a credit (" +
                          in_words(flit) + ")");
    return;
  }
  owed_[static_cast<std::size_t>(output)].push_back({now_ + sink_delay(), vc});
  if (flit.head) {
    look_at_head(output, flit);
  } else {
    look_at_body(output, flit);
  }
  if (!offence_) deliver(output, flit);
}

void PinBench::look_at_head(int output, const Flit& flit) {
  const int vc = static_cast<int>(index(flit.vc));
  const std::string where = place("output", output, vc);
  OutputVc& state = outputs_[static_cast<std::size_t>(config_.channel_vc(output, vc))];
  const auto number = static_cast<std::uint32_t>(flit.message);
  if (is_join(flit.kind)) {
    offend("codes", where + ": a head has the reserved kind " +
                        std::to_string(static_cast<unsigned>(flit.kind)));
  } else if (state.open) {
    offend_by_mixing(where + ": a head came before the tail of the previous message (" +
                     in_words(flit) + ")");
  } else if (number >= messages_.size() || messages_[number].sent < 0) {
    offend("wormhole",
           where + ": a head of a message that was never sent (" + in_words(flit) + ")");
  } else if ((messages_[number].message.outputs >> output & 1U) == 0 ||
             (messages_[number].message.is_choice && !messages_[number].deliveries.empty())) {
    offend("wormhole",
           where + ": a message that does not leave by this output (" + in_words(flit) + ")");
  } else if (!is_allowed_vc(output, vc, messages_[number].message)) {
    offend("wormhole", where + ": a VC of the wrong class (" + in_words(flit) + ")");
  } else if (messages_[number].message.is_choice && is_adaptive_vc(config_, output, vc) &&
             state.unreturned > 1) {  // its own credit is spent already
    offend("wormhole", where + ": a head on an adaptive VC whose credits are not all back (" +
                           in_words(flit) + ")");
  } else {
    Record& record = messages_[number];
    state.open = number;
    if (record.message.is_choice) record.deliveries.push_back({output});
    look_at_room(output, flit);
    if (has_circuits() && !flit.tail) {
      owed_acks_.push_back({now_ + 1 + sink_delay(), output * config_.vcs + vc, number});
    }
  }
}

// Whether the head on `output`, whose own credit is spent already, might leave.
void PinBench::look_at_room(int output, const Flit& flit) {
  if (!buffers_messages(config_.switching)) return;
  const int vc = static_cast<int>(index(flit.vc));
  const OutputVc& state = outputs_[static_cast<std::size_t>(config_.channel_vc(output, vc))];
  const Record& record = messages_[static_cast<std::uint32_t>(flit.message)];
  const int room = config_.buffer_depth - state.unreturned + 1;
  if (room < record.message.flits) {
    offend("switching", place("output", output, vc) + ": a head left with room for " +
                            std::to_string(room) + " flits, but its message has " +
                            std::to_string(record.message.flits));
  } else if (config_.switching == Switching::store_and_forward &&
             record.sent_flits < record.message.flits) {
    offend("switching", place("output", output, vc) + ": a head left before its tail had come (" +
                            in_words(flit) + ")");
  }
}

void PinBench::look_at_body(int output, const Flit& flit) {
  const int vc = static_cast<int>(index(flit.vc));
  const std::string where = place("output", output, vc);
  OutputVc& state = outputs_[static_cast<std::size_t>(config_.channel_vc(output, vc))];
  if (!state.open) {
    offend("wormhole", where + ": a flit without a head before it (" + in_words(flit) + ")");
  } else if (static_cast<std::uint32_t>(flit.message) != *state.open) {
    offend_by_mixing(where + ": a flit of message " +
                     std::to_string(static_cast<std::uint32_t>(flit.message)) + " within message " +
                     std::to_string(*state.open));
  } else if (static_cast<unsigned>(flit.kind) != 0 || index(flit.address) != 0 || flit.ties != 0) {
    offend("codes", where + ": header fields of a flit that is not a head are not 0 (" +
                        in_words(flit) + ")");
  }
}

// A multidestination or label head that leaves a destination by an external output no longer lists
// it.
Flit PinBench::leaving_flit_of(std::uint32_t number, int at, int output, int vc) const {
  const Flit flit = flit_of(number, at, vc);
  const bool is_stripped =
      flit.head && goes_by_list(flit.kind) && flit.address == node_ && !flit.via.empty();
  return is_stripped && config_.is_external(output) ? RouteComputation::strip(flit) : flit;
}

void PinBench::deliver(int output, const Flit& flit) {
  const int vc = static_cast<int>(index(flit.vc));
  OutputVc& state = outputs_[static_cast<std::size_t>(config_.channel_vc(output, vc))];
  Record& record = messages_[*state.open];
  const auto delivery = std::find_if(record.deliveries.begin(), record.deliveries.end(),
                                     [&](const Delivery& one) { return one.output == output; });
  const Flit expected = leaving_flit_of(*state.open, delivery->next, output, vc);
  if (delivery->next >= record.message.flits || !(flit == expected)) {
    const bool is_over = delivery->next >= record.message.flits;
    const std::string wanted = is_over ? "nothing more" : in_words(expected);
    const std::string field = is_over ? "" : difference_in_words(flit, expected);
    offend("wormhole", place("output", output, vc) + ": " + in_words(flit) + " came where " +
                           wanted + " was expected" + field);
    return;
  }
  if (delivery->next++ == 0) delivery->head = now_;
  if (!flit.tail) return;
  delivery->tail = now_;
  state.open.reset();
  if (--record.open > 0) return;
  --open_;
  if (is_branching(record.message)) --open_branching_;
}

bool PinBench::is_allowed_vc(int output, int vc, const BenchMessage& message) const {
  if (message.is_choice && vc == 0) return message.outputs >> output == 1;
  if (!config_.is_external(output)) return true;
  return (class_vcs(config_, output, message.vc_class) >> vc & 1U) != 0;
}

void PinBench::look_at_credits() {
  const auto width = static_cast<std::size_t>(layout_.vc_width);
  for (int port = 0; port < config_.ports() && !offence_; ++port) {
    const auto bit = static_cast<std::size_t>(port);
    if (!get_bit(model_->outputs().credit_o, bit)) continue;
    const auto vc =
        static_cast<int>(get_bits(model_->outputs().credit_vc_o, bit * width, layout_.vc_width));
    last_activity_ = now_;
    if (vc >= config_.vcs_of(port)) {
      offend("codes", place("input", port, vc) + ": a credit for a VC that does not exist");
      return;
    }
    InputVc& input = inputs_[static_cast<std::size_t>(config_.channel_vc(port, vc))];
    if (++input.credits > config_.buffer_depth) {
      offend("credits", place("input", port, vc) + ": a credit came back that was never spent");
      return;
    }
    --unreturned_;
  }
}

void PinBench::look_at_acks() {
  for (int port = 0; port < config_.ports(); ++port) {
    for (int vc = 0; vc < config_.vcs && !offence_; ++vc) {
      const int line = port * config_.vcs + vc;
      if (get_bit(model_->outputs().ack_o, static_cast<std::size_t>(line))) {
        look_at_ack(port, vc);
      }
    }
  }
}

void PinBench::look_at_ack(int input, int vc) {
  last_activity_ = now_;
  if (vc >= config_.vcs_of(input)) {
    offend("codes",
           place("input", input, vc) + ": an acknowledgement for a VC that does not exist");
    return;
  }
  InputVc& state = inputs_[static_cast<std::size_t>(config_.channel_vc(input, vc))];
  if (state.is_circuit_open || !messages_[state.queue.front()].is_acknowledged) {
    offend("switching", place("input", input, vc) +
                            ": an acknowledgement that no message there was waiting for");
  }
  state.is_circuit_open = true;
}

}  // namespace allport
