// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/router_mirror.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/bits.h"
#include "rtl_model/verilated/pin_layout.h"

namespace allport {

namespace {

constexpr std::int64_t no_number = -1;

std::int64_t number_of(const Flit& flit) { return static_cast<std::int64_t>(flit.message); }

}  // namespace

class RouterMirror::Fronts {
 public:
  explicit Fronts(const RouterMirror& mirror) : mirror_(mirror) {}

  int count(int channel_vc) const { return mirror_.buffered(channel_vc); }
  const Flit& front(int channel_vc) const { return first(channel_vc).flit; }
  Cycle front_arrival(int channel_vc) const { return first(channel_vc).cycle; }
  std::uint32_t occupied_vcs(int input) const {
    std::uint32_t vcs = 0;
    for (int vc = 0; vc < mirror_.config_.vcs_of(input); ++vc) {
      if (count(mirror_.config_.channel_vc(input, vc)) > 0) vcs |= 1U << vc;
    }
    return vcs;
  }

 private:
  const Arrived& first(int channel_vc) const { return mirror_.of(channel_vc).buffer.front(); }

  const RouterMirror& mirror_;
};

RouterMirror::RouterMirror(std::string name, const Router& twin, const PinModel& model,
                           int hop_cycles)
    : name_(std::move(name)),
      twin_(twin),
      config_(twin.config()),
      model_(model),
      has_registers_(model.registers().owner_q != nullptr),
      hop_cycles_(hop_cycles),
      inputs_(static_cast<std::size_t>(config_.channel_vcs())),
      outputs_(inputs_.size()),
      drivers_(static_cast<std::size_t>(config_.ports()), no_message),
      free_from_(drivers_.size()),
      vcs_before_(drivers_.size()),
      join_unit_(sc_core::sc_gen_unique_name("join_unit"), config_,
                 twin.route_computation.routing(), twin.node()) {
  reset();
}

void RouterMirror::reset() {
  InputVc empty;
  for (int output = 0; output < config_.ports(); ++output) {
    empty.output_vcs.push_back(config_.channel_vc(output, 0));
  }
  if (!has_registers_) empty.sent.resize(static_cast<std::size_t>(config_.ports()));
  std::fill(inputs_.begin(), inputs_.end(), empty);
  passages_.clear();
  OutputVc free;
  free.credits = config_.buffer_depth;
  std::fill(outputs_.begin(), outputs_.end(), free);
  std::fill(free_from_.begin(), free_from_.end(), 0);
  begin(0);
  join_unit_.reset();
  newest_ = no_number;
  stalled_q_.clear();
  buffered_flits_ = crossing_flits_ = 0;
  is_needed_ = false;
  needed_ = -1;
}

void RouterMirror::accept(int input, const Flit& flit, Cycle now) {
  const int vc = static_cast<int>(index(flit.vc));
  auto& buffer = of(config_.channel_vc(input, vc)).buffer;
  if (static_cast<int>(buffer.size()) == config_.buffer_depth) {
    fault("was sent a flit without a credit", "input", input, vc, now);
  }
  if (buffer.empty()) of(config_.channel_vc(input, vc)).front_since = now;
  buffer.push_back({flit, now});
  ++buffered_flits_;
  is_needed_ = true;
  newest_ = std::max(newest_, number_of(flit));
  if (!has_registers_) note_arrival(config_.channel_vc(input, vc), flit);
}

void RouterMirror::accept_credit(int output, int vc) {
  OutputVc& channel = at(config_.channel_vc(output, vc));
  if (channel.credits + channel.crossing == config_.buffer_depth) {
    fault("was given one credit too many", "output", output, vc);
  }
  ++channel.credits;
  const bool is_refilled = is_adaptive_vc(output, vc) && channel.credits == config_.buffer_depth;
  if (channel.owner >= 0 || is_refilled) is_needed_ = true;
}

void RouterMirror::repeat(int output, Cycle until) {
  free_from_[static_cast<std::size_t>(output)] = until;
  repeats_ |= PortMask{1} << output;
}

void RouterMirror::begin(Cycle now) {
  for (std::size_t output = 0; output < drivers_.size(); ++output) {
    const bool repeats = (repeats_ >> output & 1U) != 0;
    if (repeats || free_from_[output] <= now) drivers_[output] = no_message;
  }
  repeats_ = 0;
  has_crossed_ = false;
  acks_d_.clear();  // the RTL has them on its pins
  if (!has_registers_) look_at_fronts();
}

void RouterMirror::require_vc(const char* what, const char* port_kind, int port, int vc,
                              Cycle now) const {
  if (vc >= config_.vcs_of(port)) fault(what, port_kind, port, vc, now);
}

void RouterMirror::send(int output, const Flit& flit, Cycle now, RouterChannels& channels) {
  const int vc = static_cast<int>(index(flit.vc));
  require_vc("sent a flit on a VC that does not exist", "output", output, vc, now);
  if (number_of(flit) > newest_) {
    fault("sent a flit of a message that never came to it", "output", output, vc, now);
  }
  OutputVc& channel = at(config_.channel_vc(output, vc));
  if (channel.crossing == 0) {
    take(output, vc, flit.message, now);
  } else {
    --channel.crossing;
    --crossing_flits_;
  }
  if (!has_registers_) note_departure(output, config_.channel_vc(output, vc), flit);
  channels.send(output, vc, flit);
}

void RouterMirror::cross(int output, int vc, const Flit& flit, Cycle now,
                         RouterChannels& channels) {
  take(output, vc, flit.message, now);
  ++at(config_.channel_vc(output, vc)).crossing;
  ++crossing_flits_;
  const bool is_stripped = flit.head && flit.address == node() && !flit.via.empty();
  const bool goes_on = is_stripped && config_.is_external(output);
  channels.win(output, vc, goes_on ? RouteComputation::strip(flit) : flit);
}

// A flit takes `output` in this cycle.
void RouterMirror::take(int output, int vc, MessageId message, Cycle now) {
  int& credits = at(config_.channel_vc(output, vc)).credits;
  if (credits == 0) fault("sent a flit without a credit", "output", output, vc, now);
  --credits;
  at(config_.channel_vc(output, vc)).taken = now;
  Cycle& free_from = free_from_[static_cast<std::size_t>(output)];
  if (free_from > now) fault("sent a flit into an earlier one", "output", output, vc, now);
  free_from = now + config_.phits_at(node(), output);
  drivers_[static_cast<std::size_t>(output)] = message;
  has_crossed_ = true;
}

void RouterMirror::free_place(int input, int vc, Cycle now) {
  require_vc("returned a credit for a VC that does not exist", "input", input, vc, now);
  InputVc& at_input = of(config_.channel_vc(input, vc));
  if (at_input.buffer.empty()) fault("returned one credit too many", "input", input, vc, now);
  at_input.is_freed = true;
  ++at_input.freed;
  at_input.last_freed = now;
}

void RouterMirror::acknowledge(int input, int vc, Cycle now) const {
  require_vc("returned an acknowledgement for a VC that does not exist", "input", input, vc, now);
}

bool RouterMirror::is_acknowledged(int output, int vc) const {
  return std::any_of(acks_d_.begin(), acks_d_.end(),
                     [&](const Ack& ack) { return ack.output == output && ack.vc == vc; });
}

void RouterMirror::settle(Cycle now) {
  if (has_registers_) {
    look_at_fronts();
    read_routes();
    read_owners(now);
    look_at_join(now);
    find_stalls(now);
    read_choices();
    note_need(now);
  } else {
    infer_routes(now);
    find_stalls(now);
  }
  pop_freed(now);
}

// Whether a Router would be evaluated in this cycle, and must be in the next one. A nack does not
// wake it.
void RouterMirror::note_need(Cycle now) {
  const bool is_busy = is_needed_ && std::any_of(free_from_.begin(), free_from_.end(),
                                                 [&](Cycle free_from) { return free_from > now; });
  if (is_needed_) needed_ = now;
  is_needed_ = is_holding_ || is_granting_ || is_busy || crossing_flits_ > 0;
}

// The branches of the worm with this `head`, ejection channels included.
Route RouterMirror::route_of(const Flit& head, int input_vc) const {
  const int input = config_.port_of(input_vc);
  Route route = twin_.route_computation.route(head, input);
  route.outputs |= twin_.reception_unit.copies(input, head, route);
  return route;
}

void RouterMirror::note_arrival(int input_vc, const Flit& flit) {
  if (!flit.head) return;
  const Route route = route_of(flit, input_vc);
  passages_[flit.message] = {input_vc, route.is_adaptive ? 1 : __builtin_popcountll(route.outputs)};
}

// A head takes the output VC for its message, a tail gives it back.
void RouterMirror::note_departure(int output, int output_vc, const Flit& flit) {
  const auto found = passages_.find(flit.message);
  if (found == passages_.end()) return;
  InputVc& input = of(found->second.input_vc);
  if (input.message == flit.message) ++input.sent[static_cast<std::size_t>(output)];
  at(output_vc).owner = flit.tail ? -1 : found->second.input_vc;
  at(output_vc).owner_message = flit.tail ? no_message : flit.message;
  if (flit.tail && --found->second.branches == 0) passages_.erase(found);
}

// What the worms at the fronts of the buffers take and have. Where an adaptive head asks for a VC
// does not show.
void RouterMirror::infer_routes(Cycle now) {
  for (InputVc& input : inputs_) input.owned = 0;
  for (int output = 0; output < config_.ports(); ++output) {
    note_vcs_before(output, now);
    for (int vc = 0; vc < config_.vcs_of(output); ++vc) {
      const int output_vc = config_.channel_vc(output, vc);
      const OutputVc& channel = at(output_vc);
      if (channel.owner < 0) continue;
      if (InputVc& owner = of(channel.owner); owner.message == channel.owner_message) {
        owner.owned |= PortMask{1} << output;
        owner.output_vcs[static_cast<std::size_t>(output)] = output_vc;
      }
    }
  }
  for (InputVc& input : inputs_) {
    input.outputs = input.taken = 0;
    if (input.buffer.empty()) continue;
    input.outputs = input.route.is_adaptive ? input.owned : input.route.outputs;
    for (const int output : bits(input.outputs)) {
      if (input.sent[static_cast<std::size_t>(output)] > input.freed) {
        input.taken |= PortMask{1} << output;
      }
    }
  }
}

bool RouterMirror::could_have_left(const InputVc& input, Cycle now) const {
  return has_registers_ ||
         now >= std::max(input.buffer.front().cycle + hop_cycles_ - 1, input.last_freed + 1);
}

// Whether the flit at the front is a head that no route delay holds, or no head; of a module
// without registers it is not known.
bool RouterMirror::is_routed(const InputVc& input, Cycle now) const {
  return !has_registers_ || !input.buffer.front().flit.head ||
         now >= input.front_since + config_.route_delay;
}

bool RouterMirror::has_routed_operands(Cycle now) const {
  for (const int input : bits(join_unit_.inputs())) {
    if (!is_routed(of(config_.channel_vc(input, join_unit_.vc(input))), now)) return false;
  }
  return true;
}

// Those of `branches` that do not yet take part with the VC that they have won.
PortMask RouterMirror::held_by_vc_delay(const InputVc& input, PortMask branches, Cycle now) const {
  if (!has_registers_ || config_.vc_delay == 0) return 0;
  PortMask held = 0;
  for (const int output : bits(branches & input.owned)) {
    const int output_vc = input.output_vcs[static_cast<std::size_t>(output)];
    if (now < at(output_vc).won + config_.vc_delay) held |= PortMask{1} << output;
  }
  return held;
}

// Notes whose worm has come to the front of each buffer.
void RouterMirror::look_at_fronts() {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    InputVc& input = inputs_[i];
    if (input.buffer.empty()) continue;
    const Flit& front = input.buffer.front().flit;
    if (!front.head || input.message == front.message) continue;
    input.message = front.message;
    input.freed = 0;
    std::fill(input.sent.begin(), input.sent.end(), 0);
    input.route = route_of(front, static_cast<int>(i));
    if (input.route.is_join) join_unit_.open(front);
  }
}

// Whether the contribution of this node has all of its operands.
void RouterMirror::look_at_join(Cycle now) {
  const InputVc& local = of(join_unit_.channel_vc());
  const bool is_join = !local.buffer.empty() && local.route.is_join;
  const auto state = is_join ? join_unit_.look(Fronts(*this), now) : JoinUnit::State::waits;
  is_join_ready_ = state == JoinUnit::State::is_ready && has_routed_operands(now);
  is_holding_ = state != JoinUnit::State::waits && !is_join_ready_;
}

void RouterMirror::read_routes() {
  const int ports = config_.ports();
  std::size_t row = 0;
  for (InputVc& input : inputs_) {
    input.outputs = get_bits(model_.registers().outputs_q, row, ports);
    input.taken = get_bits(model_.registers().taken_q, row, ports);
    row += static_cast<std::size_t>(ports);
  }
}

// The input VC that owns `output_vc` according to the registers; -1: none does.
int RouterMirror::owner_in_registers(int output_vc) const {
  const int input_vcs = config_.channel_vcs();
  const std::size_t row = static_cast<std::size_t>(output_vc) * static_cast<std::size_t>(input_vcs);
  for (int from = 0; from < input_vcs; from += 64) {
    const int width = std::min(64, input_vcs - from);
    const std::uint64_t bits =
        get_bits(model_.registers().owner_q, row + static_cast<std::size_t>(from), width);
    if (bits != 0) return from + __builtin_ctzll(bits);
  }
  return -1;
}

bool RouterMirror::is_adaptive_vc(int output, int vc) const {
  return twin_.route_computation.routing().is_adaptive() &&
         allport::is_adaptive_vc(config_, output, vc);
}

// Notes which virtual channels of `output` had no owner at the beginning of cycle `now`. Credits
// are those of after it, and owners those of before; without registers owners, too, are those of
// after it, but there an adaptive head is not known to ask for anything.
void RouterMirror::note_vcs_before(int output, Cycle now) {
  UnownedVcs before;
  for (int vc = 0; vc < config_.vcs_of(output); ++vc) {
    const OutputVc& channel = at(config_.channel_vc(output, vc));
    if (channel.owner >= 0) continue;
    const int credits = channel.credits + (channel.taken == now ? 1 : 0);
    const bool is_draining = is_adaptive_vc(output, vc) && credits < config_.buffer_depth;
    (is_draining ? before.draining : before.free) |= 1U << vc;
  }
  vcs_before_[static_cast<std::size_t>(output)] = before;
}

void RouterMirror::read_owners(Cycle now) {
  for (InputVc& input : inputs_) input.owned = 0;
  is_granting_ = false;
  for (int output = 0; output < config_.ports(); ++output) {
    note_vcs_before(output, now);
    for (int vc = 0; vc < config_.vcs_of(output); ++vc) {
      const int output_vc = config_.channel_vc(output, vc);
      OutputVc& channel = at(output_vc);
      const bool was_free = channel.owner < 0;
      channel.owner = owner_in_registers(output_vc);
      channel.owner_message = no_message;
      if (channel.owner < 0) continue;
      is_granting_ |= was_free;
      if (was_free) channel.won = now;
      InputVc& owner = of(channel.owner);
      channel.owner_message = owner.message;
      owner.owned |= PortMask{1} << output;
      owner.output_vcs[static_cast<std::size_t>(output)] = output_vc;
    }
  }
}

void RouterMirror::find_stalls(Cycle now) {
  stalled_q_.clear();
  if (!has_flits()) return;
  for (int input = 0; input < config_.ports(); ++input) {
    for (int vc = 0; vc < config_.vcs_of(input); ++vc) {
      const int input_vc = config_.channel_vc(input, vc);
      const InputVc& at_input = of(input_vc);
      if (at_input.buffer.empty() || at_input.is_freed) continue;
      if (!could_have_left(at_input, now)) continue;
      const Cycle arrival = at_input.buffer.front().cycle;
      if (!is_routed(at_input, now) ||
          ReplicationUnit::is_held(config_, at_input.route, arrival, now)) {
        is_holding_ = true;
        continue;
      }
      const PortMask untaken = pending(input_vc);
      const PortMask held = held_by_vc_delay(at_input, untaken, now);
      if (held != 0) is_holding_ = true;
      const PortMask branches = untaken & ~held;
      if (branches == 0 || (at_input.route.is_join && !is_join_ready_)) continue;
      stalled_q_.push_back({input, vc, branches, unready(input_vc, branches)});
      find_wanted(input_vc, branches & ~at_input.owned);
    }
  }
}

// The VCs of `output` that the head at the front may be given.
std::uint32_t RouterMirror::candidate_vcs(int input_vc, int output) const {
  const InputVc& input = of(input_vc);
  const int port = config_.port_of(input_vc);
  const int message_class = config_.message_class(port, input_vc - config_.channel_vc(port, 0));
  if (!input.route.is_adaptive) {
    const bool is_p = (input.route.outputs_of_class_p >> output & 1U) != 0;
    return class_vcs(config_, output, is_p ? VcClass::p : input.route.vc_class, message_class);
  }
  const Flit& head = input.buffer.front().flit;
  return adaptive_vcs(config_, output, twin_.route_computation.useful_ports(head), message_class);
}

// The VCs that the head at the front asked for in this cycle, or waits for.
void RouterMirror::find_wanted(int input_vc, PortMask lacking) {
  InputVc& input = of(input_vc);
  for (const int output : bits(lacking)) {
    const UnownedVcs& vcs = vcs_before_[static_cast<std::size_t>(output)];
    const int vc = choose_vc(candidate_vcs(input_vc, output), vcs, input.choice);
    input.output_vcs[static_cast<std::size_t>(output)] = config_.channel_vc(output, vc);
  }
}

void RouterMirror::read_choices() {
  const int width = index_width(static_cast<std::size_t>(config_.vcs));
  std::size_t place = 0;
  for (InputVc& input : inputs_) {
    input.choice = static_cast<int>(get_bits(model_.registers().choice_q, place, width));
    place += static_cast<std::size_t>(width);
  }
}

void RouterMirror::pop_freed(Cycle now) {
  for (InputVc& input : inputs_) {
    if (!input.is_freed) continue;
    input.is_freed = false;
    input.taken = 0;
    input.buffer.pop_front();
    input.front_since = now + 1;
    --buffered_flits_;
  }
}

void RouterMirror::fault(const char* what, const char* port_kind, int port, int vc,
                         std::optional<Cycle> now) const {
  std::string text = name_ + ": the RTL " + what + ": " + port_kind + " " + std::to_string(port) +
                     " vc " + std::to_string(vc);
  if (now) text += " in cycle " + std::to_string(*now);
  SC_REPORT_FATAL("/allport/rtl", text.c_str());
  throw std::runtime_error(text);
}

}  // namespace allport
