// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/input_head.h"

namespace allport {

namespace {

void read_part(std::istream& in, std::string& part) {
  part.resize(InputHead::most);
  in.read(part.data(), static_cast<std::streamsize>(part.size()));
  part.resize(static_cast<std::size_t>(in.gcount()));
}

}  // namespace

InputHead::InputHead(std::istream& in) : in_(in), all_(nullptr) {
  read_part(in, head_);
  setg(head_.data(), head_.data(), head_.data() + head_.size());
  all_.rdbuf(this);
}

InputHead::int_type InputHead::underflow() {
  read_part(in_, part_);
  if (in_.bad()) all_.setstate(std::ios::badbit);
  if (part_.empty()) return traits_type::eof();
  setg(part_.data(), part_.data(), part_.data() + part_.size());
  return traits_type::to_int_type(*gptr());
}

}  // namespace allport
