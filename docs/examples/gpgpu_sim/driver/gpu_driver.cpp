// SPDX-License-Identifier: Apache-2.0
#include "gpu_driver.h"

#include <stdexcept>
#include <string>

#include "icnt_wrapper.h"

namespace {

constexpr unsigned short_packet = 40;
constexpr unsigned line = 136;
constexpr std::int64_t patience = 100000;  // cycles without a pop

}  // namespace

GpuDriver::GpuDriver(const DriverOptions& options)
    : options_(options),
      generator_(options.seed),
      transactions_(options.requests),
      unsent_(options.shaders),
      held_(options.memories) {
  packets_.reserve(2 * options.requests);
}

bool GpuDriver::happens(double share) {
  return static_cast<double>(generator_.next() >> 11) * 0x1p-53 < share;
}

bool GpuDriver::likes_to_pop() { return options_.pops >= 1 || happens(options_.pops); }

std::int64_t GpuDriver::run() {
  icnt_create(options_.shaders, options_.memories);
  icnt_init();
  while (done_ < options_.requests) {
    cycle();
    if (now_ - last_pop_ <= patience) continue;
    throw std::runtime_error("nothing was popped for " + std::to_string(patience) +
                             " cycles: " + std::to_string(sent_) + " requests were sent, and " +
                             std::to_string(done_) + " replies came");
  }
  for (unsigned device = 0; device < options_.shaders + options_.memories; ++device) pop(device);
  if (icnt_busy()) throw std::runtime_error("the interconnect is busy after the last reply");
  return now_;
}

// In the order of GPGPU-Sim: shaders receive, memory partitions send and receive, and shaders send
// behind the transfer.
void GpuDriver::cycle() {
  if (!options_.is_eager) {
    for (unsigned shader = 0; shader < options_.shaders; ++shader) {
      if (likes_to_pop()) pop(shader);
    }
  }
  push_replies();
  if (!options_.is_eager) {
    for (unsigned memory = 0; memory < options_.memories; ++memory) {
      if (held_[memory].size() < options_.held && likes_to_pop()) pop(options_.shaders + memory);
    }
  }
  icnt_transfer();
  ++now_;
  if (options_.is_eager) {
    for (unsigned device = 0; device < options_.shaders + options_.memories; ++device) {
      while (pop(device)) {
      }
    }
  }
  push_requests();
}

void GpuDriver::push(Transaction& one, bool is_reply, unsigned bytes) {
  const unsigned memory = options_.shaders + one.memory;
  one.packet = packets_.size();
  packets_.push_back(
      {is_reply ? memory : one.shader, is_reply ? one.shader : memory, bytes, is_reply, now_, 0});
  icnt_push(packets_.back().source, packets_.back().destination, &one, bytes);
  one.state = is_reply ? State::replied : State::sent;
}

void GpuDriver::push_requests() {
  const double devices = options_.shaders + options_.memories;
  const double share = options_.rate / 2 * devices / options_.shaders;
  for (unsigned shader = 0; shader < options_.shaders; ++shader) {
    if (made_ < options_.requests && happens(share)) {
      ++unsent_[shader];
      ++made_;
    }
    if (unsent_[shader] == 0) continue;
    const bool is_write = options_.has_lines && sent_ % 2 == 0;
    const unsigned bytes = is_write ? line : short_packet;
    if (!icnt_has_buffer(shader, bytes)) {
      ++refusals_;
      continue;
    }
    Transaction& one = transactions_[sent_++];
    one.shader = shader;
    one.memory = static_cast<unsigned>(generator_.next() % options_.memories);
    one.reply_bytes = options_.has_lines && !is_write ? line : short_packet;
    --unsent_[shader];
    push(one, false, bytes);
  }
}

void GpuDriver::push_replies() {
  for (unsigned memory = 0; memory < options_.memories; ++memory) {
    if (held_[memory].empty()) continue;
    Transaction& one = transactions_[held_[memory].front()];
    if (one.ready > now_) continue;
    if (!icnt_has_buffer(options_.shaders + memory, one.reply_bytes)) {
      ++refusals_;
      continue;
    }
    held_[memory].pop_front();
    push(one, true, one.reply_bytes);
  }
}

// Returns whether there was a packet.
bool GpuDriver::pop(unsigned device) {
  auto* const one = static_cast<Transaction*>(icnt_pop(device));
  if (one == nullptr) return false;
  const auto number = static_cast<std::size_t>(one - transactions_.data());
  const bool is_shader = device < options_.shaders;
  const auto wrong = [&](const char* what) {
    return std::runtime_error("packet " + std::to_string(number) + " at device " +
                              std::to_string(device) + ": " + what);
  };
  if (number >= transactions_.size()) throw wrong("it was not sent");
  if (device != (is_shader ? one->shader : options_.shaders + one->memory)) {
    throw wrong("it was sent to another one");
  }
  if (one->state != (is_shader ? State::replied : State::sent)) {
    throw wrong("it has come before, or was not sent yet");
  }
  packets_[one->packet].popped = now_ - 1;
  last_pop_ = now_;
  if (is_shader) {
    one->state = State::done;
    ++done_;
  } else {
    one->state = State::at_memory;
    one->ready = now_ + options_.service;
    held_[device - options_.shaders].push_back(number);
  }
  return true;
}
