// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/flit.h"

#include <ostream>

namespace allport {

bool operator==(const Flit& a, const Flit& b) {
  return a.data == b.data && a.address == b.address && a.ties == b.ties && a.message == b.message &&
         a.via == b.via && a.length == b.length && a.join == b.join && a.kind == b.kind &&
         a.vc == b.vc && a.head == b.head && a.tail == b.tail;
}

std::ostream& operator<<(std::ostream& out, const Flit& flit) {
  out << (flit.head && flit.tail ? "head+tail" : flit.head ? "head" : flit.tail ? "tail" : "body");
  out << " vc " << index(flit.vc) << " message " << static_cast<std::uint32_t>(flit.message);
  if (flit.head) out << " to " << index(flit.address);
  return out;
}

void sc_trace(sc_core::sc_trace_file* file, const Flit& flit, const std::string& name) {
  sc_core::sc_trace(file, flit.head, name + ".head");
  sc_core::sc_trace(file, flit.tail, name + ".tail");
  sc_core::sc_trace(file, flit.data, name + ".data");
}

}  // namespace allport
