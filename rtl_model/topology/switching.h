// SPDX-License-Identifier: Apache-2.0
// Switching modes: when a flit may go on (docs/router.md, switching modes).
#pragma once

#include <array>
#include <cstdint>

namespace allport {

enum class Switching : std::uint8_t {
  wormhole,           ///< a flit needs room for itself
  cut_through,        ///< a head needs room for its whole message [KermaniKleinrock79]
  store_and_forward,  ///< as cut-through, and its whole message behind it
  circuit,            ///< the body follows when an acknowledgement has come back from the end
};

constexpr std::array<Switching, 4> switching_modes{
    Switching::wormhole, Switching::cut_through, Switching::store_and_forward, Switching::circuit};

/// The name on the command line.
const char* to_string(Switching switching);

/// Whether buffers must hold whole messages, whose heads say how long they are.
constexpr bool buffers_messages(Switching switching) {
  return switching == Switching::cut_through || switching == Switching::store_and_forward;
}

}  // namespace allport
