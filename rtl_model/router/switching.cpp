// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/router/switching.h"

namespace allport {

const char* to_string(Switching switching) {
  switch (switching) {
    case Switching::wormhole:
      break;
    case Switching::cut_through:
      return "cut-through";
    case Switching::store_and_forward:
      return "store-and-forward";
    case Switching::circuit:
      return "circuit";
  }
  return "wormhole";
}

}  // namespace allport
