// SPDX-License-Identifier: Apache-2.0
// An AllportIcnt is the interconnect of GPGPU-Sim and Accel-Sim as an allport::Network: its calls
// are those of their table of functions (icnt_create, icnt_push, ..). Device d is node d; devices
// 0 .. shaders - 1 are shaders, the memory partitions follow. What shaders send are requests, of
// message class 0, and what memory partitions send are replies, of class 1.
//
// The header is C++11, as the simulators may be, and knows nothing of allport. What is wrong with a
// call is thrown as std::invalid_argument, one sentence, and changes nothing.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

class AllportIcnt {
 public:
  /// `options` are KEY=VALUE, as of allport::read_network_request; classes=2 is among them.
  explicit AllportIcnt(const std::string& options);
  ~AllportIcnt();

  /// Makes the network anew, with no cycle passed; there are no devices before.
  void create(unsigned shaders, unsigned memories);
  /// A kernel begins: from now on display_stats() tells of what is sent and received.
  void init();
  /// Whether the queue of `input` has room for a packet of `bytes` bytes.
  bool has_buffer(unsigned input, unsigned bytes) const;
  /// Sends a packet in the cycle that the next transfer() lets pass.
  void push(unsigned input, unsigned output, void* data, unsigned bytes);
  /// The next packet that `output` has received, by cycle and ejection channel; null if there is
  /// none. With a reception limit its places are free from then on.
  void* pop(unsigned output);
  /// Lets a cycle pass.
  void transfer();
  /// Whether any packet is under way or not popped.
  bool busy() const;
  /// Lets cycles pass until nothing moves any more, whatever is not popped.
  void drain();
  void display_stats() const;
  void display_overall_stats() const;
  void display_state(std::FILE* file) const;
  unsigned flit_size() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};
