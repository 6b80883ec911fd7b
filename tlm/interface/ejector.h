// SPDX-License-Identifier: Apache-2.0
// An Ejector is the receiving end of one virtual channel of an ejection channel: it takes every
// flit in the cycle in which it comes, and puts the message together again. The report is fatal if
// flits of two messages mix, if a flit is missing, or if one comes that belongs to no message: then
// the router is broken, and there is no result.
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include "rtl_model/base/fetch_ahead.h"
#include "rtl_model/systemc/flit.h"
#include "tlm/message/message.h"
#include "tlm/message/message_log.h"

namespace allport {

class Ejector {
 public:
  /// What the ejectors of an interface have in common: a 16-cube has a million of them.
  struct Interface {
    /// `bytes`: payload bytes of a flit, 1 .. 64; `classes`: message classes.
    Interface(std::string its_name, const MessageLog& messages, MessagePool& memory, int bytes,
              int classes = 1);

    std::string name;
    const MessageLog& log;
    MessagePool& pool;
    bool has_names;  ///< whether flits carry the names of their bytes (WidePayloads)
    int flit_bytes;  ///< on the data lines
    bool has_classes;
  };
  /// `interface` must outlive it.
  Ejector(const Interface& interface, int port, int message_class = 0);

  /// Drops the part of an unfinished message that has arrived.
  void reset();
  /// Takes `flit`, which is on the channel in cycle `now`. Returns the whole message if the flit
  /// was its tail, else null. Of wide flits, the payload begins with the names of their bytes, and
  /// is as long as the longer of the two.
  tlm::tlm_generic_payload* take(const Flit& flit, Cycle now);

  // For the cache, before take(); the second step needs what the first one fetches:
  void fetch_message() const { fetch(message_); }
  void fetch_data() const {
    if (message_ == nullptr) return;
    fetch(message_->get_data_ptr() + flits_ * interface_.flit_bytes);
  }

 private:
  void begin(const Flit& head, Cycle now);
  void store(std::uint64_t data);
  [[noreturn]] void fail(const Flit& flit, Cycle now, const char* what) const;

  std::string name() const;

  const Interface& interface_;
  tlm::tlm_generic_payload* message_ = nullptr;
  MessageId id_ = no_message;
  int flits_ = 0;           // flits of the message that have come
  int expected_flits_ = 0;  // flits of the message in all
  int list_flits_ = 0;      // those before its payload's
  std::uint8_t port_;
  std::uint8_t message_class_;
};

}  // namespace allport
