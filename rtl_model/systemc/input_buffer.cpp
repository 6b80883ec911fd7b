// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/input_buffer.h"

#include <algorithm>
#include <sstream>

namespace allport {

namespace {

constexpr int most_places = 32;  // of a buffer in the arena

}  // namespace

InputBuffer::InputBuffer(const char* name, const RouterConfig& config, UnitPlace place)
    : Unit(name, config, place),
      keeps_arrivals_(config.keeps_arrivals()),
      places_(std::min(config.buffer_depth, most_places)),
      fifos_q_(this->arena(), config.channel_vcs()),
      occupied_vcs_q_(this->arena(), config.ports()),
      arrivals_q_(this->arena(), keeps_arrivals_ ? config.channel_vcs() : 0) {}

void InputBuffer::reset() {
  for (int channel_vc = 0; channel_vc < config_.channel_vcs(); ++channel_vc) {
    fifos_q_[channel_vc].head_q = fifos_q_[channel_vc].count_q = 0;
  }
  occupied_vcs_q_.fill(config_.ports(), 0);
  occupied_inputs_q_ = 0;
  behind_q_.clear();
}

// Of the buffers of a large router most never hold a flit.
void InputBuffer::set_aside(int channel_vc) {
  fifos_q_[channel_vc].flits_q = &Registers<Flit>(arena(), places_)[0];
  if (keeps_arrivals_) arrivals_q_[channel_vc] = &Registers<Cycle>(arena(), places_)[0];
}

void InputBuffer::put_behind(int input, const Flit& flit, Cycle now) {
  const int channel_vc = config_.channel_vc(input, static_cast<int>(index(flit.vc)));
  if (count(channel_vc) == config_.buffer_depth) report_overflow(input, flit, now);
  behind_q_.resize(static_cast<std::size_t>(config_.channel_vcs()));
  std::unique_ptr<Queue>& queue = behind_q_[static_cast<std::size_t>(channel_vc)];
  if (queue == nullptr) queue = std::make_unique<Queue>();
  queue->push_back({flit, now});
}

// The first of those behind gets the place that the front flit has left.
void InputBuffer::move_up(int channel_vc) {
  std::unique_ptr<Queue>& queue = behind_q_[static_cast<std::size_t>(channel_vc)];
  const Fifo& one = fifo(channel_vc);
  const int place = place_of(one, places_ - 1);
  one.flits_q[place] = queue->front().flit;
  if (keeps_arrivals_) arrivals_q_[channel_vc][place] = queue->front().arrival;
  queue->pop_front();
}

const Flit& InputBuffer::flit_behind(int channel_vc, int position) const {
  const Queue& queue = *behind_q_[static_cast<std::size_t>(channel_vc)];
  return queue[static_cast<std::size_t>(position - places_)].flit;
}

void InputBuffer::report_overflow(int input, const Flit& flit, Cycle now) const {
  std::ostringstream message;
  message << name() << ": input " << input << " vc " << index(flit.vc)
          << ": a flit came without a credit in cycle " << now << " (" << flit << ")";
  SC_REPORT_FATAL("/allport/input_buffer", message.str().c_str());
}

}  // namespace allport
