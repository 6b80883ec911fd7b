// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/terminal/exit_status.h"

#include <stdexcept>

#include "rtl_model/base/sentence.h"
#include "rtl_model/base/stop_flag.h"
#include "testbench/files/standard_streams.h"

namespace allport {

namespace {

constexpr const char* shortage = "the machine does not have enough memory for this";

int complain(const std::string& sentence, int status) {
  say(sentence);
  return status;
}

}  // namespace

OutOfMemory::OutOfMemory(const std::string& size) : sentence_(shortage + (": " + size)) {}

int status_of(const std::function<int()>& work) {
  try {
    return work();
  } catch (const Stopped& error) {
    return complain(error.what(), exit_incomplete);
  } catch (const OutOfMemory& error) {
    return complain(error.what(), exit_incomplete);
  } catch (const std::bad_alloc&) {
    return complain(shortage, exit_incomplete);
  } catch (const std::length_error&) {  // more than addresses reach: where they have 32 bits
    return complain(shortage, exit_incomplete);
  } catch (const std::exception& error) {
    return complain(sentence_of(error), exit_wrong_use);
  }
}

}  // namespace allport
