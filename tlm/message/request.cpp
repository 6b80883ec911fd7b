// SPDX-License-Identifier: Apache-2.0
#include "tlm/message/request.h"

#include "tlm/message/message.h"

namespace allport {

tlm::tlm_response_status check_request(const tlm::tlm_generic_payload& message) {
  const auto* extension = message.get_extension<MessageExtension>();
  if (!message.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (extension == nullptr || extension->preparation < 0 || extension->jitter < 0) {
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  if (message.get_data_ptr() == nullptr || message.get_data_length() == 0) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

int flits_of(unsigned bytes, int flit_bytes) {
  return static_cast<int>((bytes - 1) / static_cast<unsigned>(flit_bytes)) + 1;
}

void report_forward_phase(const char* unit, const std::string& name, const tlm::tlm_phase& phase) {
  const std::string text = name + ": phase " + phase.get_name() +
                           " on the forward path; BEGIN_REQ and END_RESP are expected";
  SC_REPORT_FATAL(unit, text.c_str());
}

}  // namespace allport
