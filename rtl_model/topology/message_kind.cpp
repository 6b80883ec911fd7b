// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/message_kind.h"

namespace allport {

const char* to_string(MessageKind kind) {
  switch (kind) {
    case MessageKind::deposit:
      return "deposit";
    case MessageKind::tree:
      return "tree";
    case MessageKind::multidestination:
      return "multidestination";
    case MessageKind::path:
      return "path";
    case MessageKind::label:
      return "label";
    case MessageKind::join:
      return "join";
    case MessageKind::join_tree:
      return "join-tree";
    default:
      return "unicast";
  }
}

}  // namespace allport
