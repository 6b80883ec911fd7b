// SPDX-License-Identifier: Apache-2.0
// The switching mode decides when a flit may go on (docs/router.md, switching modes).
#pragma once

#include <array>
#include <cstdint>

#include "rtl_model/base/name_table.h"

namespace allport {

enum class Switching : std::uint8_t {
  wormhole,           ///< a flit needs room for itself
  cut_through,        ///< a head needs room for its whole message [KermaniKleinrock79]
  store_and_forward,  ///< as in cut-through, and its whole message must be behind it
  circuit,            ///< the body follows when an acknowledgement has come back from the end
};

template <>
inline constexpr std::array<Named<Switching>, 4> name_table<Switching>{
    {{Switching::wormhole, "wormhole"},
     {Switching::cut_through, "cut-through"},
     {Switching::store_and_forward, "store-and-forward"},
     {Switching::circuit, "circuit"}}};
inline constexpr auto switching_modes = values_of<Switching>();

/// Whether buffers must hold whole messages, whose heads say how long they are.
constexpr bool buffers_messages(Switching switching) {
  return switching == Switching::cut_through || switching == Switching::store_and_forward;
}

// What a flit at the front of a buffer needs to go on, besides a virtual channel and the switch.
// Only a head whose buffers hold whole messages needs more than one credit; `length`: flits of its
// message.
/// The number of credits that it needs for its output VC.
constexpr int needed_credits(Switching switching, bool is_head, int length) {
  return is_head && buffers_messages(switching) ? length : 1;
}
/// The number of flits of its message that must be in the buffer, itself included.
constexpr int needed_flits(Switching switching, bool is_head, int length) {
  return is_head && switching == Switching::store_and_forward ? length : 1;
}
/// Whether `buffered` flits and `credits` credits are enough. (A buffer whose front is a head of L
/// flits holds its tail when it holds L flits.)
constexpr bool may_cross(Switching switching, bool is_head, int length, int buffered, int credits) {
  return credits >= needed_credits(switching, is_head, length) &&
         buffered >= needed_flits(switching, is_head, length);
}

}  // namespace allport
