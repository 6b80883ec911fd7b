// SPDX-License-Identifier: Apache-2.0
// The receiving end of one ejection channel: takes every flit in the cycle it comes and puts the
// message together again. Fatal report when flits of two messages mix, one is missing, or one comes
// that belongs to none: a broken router, not a result.
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include "rtl_model/systemc/flit.h"
#include "tlm/message/message.h"
#include "tlm/message/message_log.h"

namespace allport {

class Ejector {
 public:
  Ejector(std::string name, const MessageLog& log, MessagePool& pool, int flit_bytes);

  /// Drops what has arrived of an unfinished message.
  void reset();
  /// Takes `flit`, on the channel in cycle `now`; the whole message when it was its tail, else
  /// null.
  tlm::tlm_generic_payload* take(const Flit& flit, Cycle now);

 private:
  void begin(const Flit& head, Cycle now);
  void store(std::uint64_t data);
  [[noreturn]] void fail(const Flit& flit, Cycle now, const char* what) const;

  std::string name_;
  const MessageLog& log_;
  MessagePool& pool_;
  int flit_bytes_;
  tlm::tlm_generic_payload* message_ = nullptr;
  MessageId id_ = no_message;
  int flits_ = 0;           // of the message that have come
  int expected_flits_ = 0;  // of it in all
};

}  // namespace allport
