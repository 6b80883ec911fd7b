// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/router_mirror.h"

#include <algorithm>
#include <string>

#include "rtl_model/topology/vc_choice.h"
#include "rtl_model/verilated/pin_layout.h"

namespace allport {

RouterMirror::RouterMirror(Router& view, const PinModel& model)
    : view_(view),
      model_(model),
      has_registers_(model.registers().owner_q != nullptr),
      choice_width_(index_width(static_cast<std::size_t>(view.config().vcs))),
      worms_(static_cast<std::size_t>(view.config().channel_vcs())),
      choice_q_(worms_.size()),
      free_before_(static_cast<std::size_t>(view.config().ports())) {}

void RouterMirror::reset() {
  view_.reset();
  std::fill(worms_.begin(), worms_.end(), Worm{});
  std::fill(choice_q_.begin(), choice_q_.end(), 0);
  freed_d_.clear();
  releases_d_.clear();
  stalled_d_.clear();
  buffered_ = 0;
}

void RouterMirror::accept(int input, const Flit& flit, Cycle now) {
  view_.input_buffer.accept(input, flit, now);
  ++buffered_;
}

void RouterMirror::send(int output, const Flit& flit, Cycle now, RouterChannels& channels) {
  const int vc = static_cast<int>(index(flit.vc));
  if (vc >= view_.config().vcs_of(output))
    fault("sent a flit on a VC that is not there", "output", output, vc, now);
  if (view_.switch_allocator.credits(vc_of(output, vc)) == 0) {
    fault("sent a flit without a credit", "output", output, vc, now);
  }
  view_.switch_allocator.use_credit(vc_of(output, vc));
  view_.crossbar.traverse(flit, output, vc, channels);
  if (flit.tail) releases_d_.push_back({output, vc, flit.message});
}

void RouterMirror::free_place(int input, int vc, Cycle now) {
  if (vc >= view_.config().vcs_of(input))
    fault("returned a credit for a VC that is not there", "input", input, vc, now);
  if (view_.input_buffer.count(vc_of(input, vc)) == 0) {
    fault("returned a credit too many", "input", input, vc, now);
  }
  freed_d_.push_back({input, vc});
}

void RouterMirror::acknowledge(int input, int vc, Cycle now) const {
  if (vc >= view_.config().vcs_of(input))
    fault("returned an acknowledgement for a VC that is not there", "input", input, vc, now);
}

void RouterMirror::settle(Cycle now) {
  if (has_registers_) {
    look_at_fronts();
    show_routes();
    for (int output = 0; output < view_.config().ports(); ++output) {
      free_before_[static_cast<std::size_t>(output)] = view_.vc_allocator.free_vcs(output);
    }
    show_owners();
    show_stalls(now);
    for (const Release& release : releases_d_) {
      if (owner_in_registers(vc_of(release.output, release.vc)) < 0) {
        view_.vc_allocator.show_owner(release.output, release.vc, -1, no_message);
      }
    }
    for (std::size_t i = 0; i < choice_q_.size(); ++i) {
      choice_q_[i] = static_cast<std::uint8_t>(get_bits(
          model_.registers().choice_q, i * static_cast<std::size_t>(choice_width_), choice_width_));
    }
  }
  for (const Freed& freed : freed_d_) {
    const int input_vc = vc_of(freed.input, freed.vc);
    view_.replication_unit.next_flit(input_vc);
    view_.input_buffer.pop(freed.input, freed.vc);
    --buffered_;
  }
  freed_d_.clear();
  releases_d_.clear();
}

// Remembers whose worm has come to the front of each buffer.
void RouterMirror::look_at_fronts() {
  const RouterConfig& config = view_.config();
  for (PortMask inputs = view_.input_buffer.occupied_inputs(); inputs != 0; inputs &= inputs - 1) {
    const int input = __builtin_ctzll(inputs);
    for (std::uint32_t vcs = view_.input_buffer.occupied_vcs(input); vcs != 0; vcs &= vcs - 1) {
      const int input_vc = config.channel_vc(input, __builtin_ctz(vcs));
      const Flit& front = view_.input_buffer.front(input_vc);
      Worm& worm = worms_[static_cast<std::size_t>(input_vc)];
      if (!front.head || worm.message == front.message) continue;
      const Route route = view_.route_computation.route(front);
      worm = {front.message, route.vc_class, front.kind == MessageKind::tree, route.is_adaptive};
    }
  }
}

void RouterMirror::show_routes() {
  const RouterConfig& config = view_.config();
  const int ports = config.ports();
  const PortMask external = (PortMask{1} << config.external_ports) - 1;
  for (int input_vc = 0; input_vc < config.channel_vcs(); ++input_vc) {
    const std::size_t row = static_cast<std::size_t>(input_vc) * static_cast<std::size_t>(ports);
    const PortMask outputs = get_bits(model_.registers().outputs_q, row, ports);
    if (outputs == 0 && view_.route_computation.of(input_vc).outputs == 0) continue;
    const Worm& worm = worms_[static_cast<std::size_t>(input_vc)];
    view_.route_computation.hold(
        input_vc, {outputs, worm.vc_class, worm.is_tree && (outputs & external) != 0});
    view_.replication_unit.show_taken(input_vc, get_bits(model_.registers().taken_q, row, ports));
  }
}

// The input VC that owns `output_vc` according to the registers; -1: none.
int RouterMirror::owner_in_registers(int output_vc) const {
  const int input_vcs = view_.config().channel_vcs();
  const std::size_t row = static_cast<std::size_t>(output_vc) * static_cast<std::size_t>(input_vcs);
  for (int from = 0; from < input_vcs; from += 64) {
    const int width = std::min(64, input_vcs - from);
    const std::uint64_t bits =
        get_bits(model_.registers().owner_q, row + static_cast<std::size_t>(from), width);
    if (bits != 0) return from + __builtin_ctzll(bits);
  }
  return -1;
}

void RouterMirror::show_owners() {
  const RouterConfig& config = view_.config();
  for (int output = 0; output < config.ports(); ++output) {
    for (int vc = 0; vc < config.vcs_of(output); ++vc) {
      const int output_vc = config.channel_vc(output, vc);
      const int owner = owner_in_registers(output_vc);
      if (owner < 0) continue;  // freed in this cycle, if it was owned: released below
      const MessageId message = worms_[static_cast<std::size_t>(owner)].message;
      if (view_.vc_allocator.owner(output_vc) == owner &&
          view_.vc_allocator.owner_message(output_vc) == message) {
        continue;
      }
      view_.vc_allocator.show_owner(output, vc, owner, message);
    }
  }
}

bool RouterMirror::is_freed(int input, int vc) const {
  return std::any_of(freed_d_.begin(), freed_d_.end(),
                     [&](const Freed& freed) { return freed.input == input && freed.vc == vc; });
}

void RouterMirror::show_stalls(Cycle now) {
  const RouterConfig& config = view_.config();
  stalled_d_.clear();
  for (PortMask inputs = view_.input_buffer.occupied_inputs(); inputs != 0; inputs &= inputs - 1) {
    const int input = __builtin_ctzll(inputs);
    for (std::uint32_t vcs = view_.input_buffer.occupied_vcs(input); vcs != 0; vcs &= vcs - 1) {
      const int vc = __builtin_ctz(vcs);
      const int input_vc = config.channel_vc(input, vc);
      const Route& route = view_.route_computation.of(input_vc);
      if (is_freed(input, vc) ||
          view_.replication_unit.holds(input_vc, route, view_.input_buffer, now)) {
        continue;
      }
      const PortMask pending = view_.replication_unit.pending(input_vc, route);
      if (pending == 0) continue;
      stalled_d_.push_back({input, vc, pending, view_.unready(input_vc, pending)});
      show_wanted(input_vc, pending & ~view_.vc_allocator.owned(input_vc));
    }
  }
  view_.show_stalled(stalled_d_);
}

// The VCs of `output` that the head at the front may be given.
std::uint32_t RouterMirror::candidate_vcs(int input_vc, int output) const {
  const Worm& worm = worms_[static_cast<std::size_t>(input_vc)];
  if (!worm.is_adaptive) return class_vcs(view_.config(), output, worm.vc_class);
  const PortMask useful = view_.route_computation.useful_ports(view_.input_buffer.front(input_vc));
  return adaptive_vcs(view_.config(), output, useful);
}

// The VC that the head at the front asked for in this cycle, or waits for.
void RouterMirror::show_wanted(int input_vc, PortMask lacking) {
  const int pointer = choice_q_[static_cast<std::size_t>(input_vc)];
  for (PortMask rest = lacking; rest != 0; rest &= rest - 1) {
    const int output = __builtin_ctzll(rest);
    const std::uint32_t free = free_before_[static_cast<std::size_t>(output)];
    const int vc = choose_vc(candidate_vcs(input_vc, output), free, pointer);
    view_.vc_allocator.show_wanted(input_vc, output, vc);
  }
}

void RouterMirror::fault(const char* what, const char* port_kind, int port, int vc,
                         Cycle now) const {
  const std::string text = std::string(view_.name()) + ": the RTL " + what + ": " + port_kind +
                           " " + std::to_string(port) + " vc " + std::to_string(vc) + " in cycle " +
                           std::to_string(now);
  SC_REPORT_FATAL("/allport/rtl", text.c_str());
  throw std::runtime_error(text);
}

}  // namespace allport
