// SPDX-License-Identifier: Apache-2.0
// What every fabric asks of a request before it takes it, and what it answers to a phase that does
// not belong on the forward path (tlm/message/message.h).
#pragma once

#include <string>
#include <tlm>

namespace allport {

/// TLM_OK_RESPONSE when `message` is a write with an extension and with bytes; where it may go is
/// the fabric's to judge.
tlm::tlm_response_status check_request(const tlm::tlm_generic_payload& message);

/// The flits that `bytes` > 0 bytes of payload make.
int flits_of(unsigned bytes, int flit_bytes);

/// Fatal report of `unit`, named `name`: a phase but BEGIN_REQ and END_RESP on the forward path.
void report_forward_phase(const char* unit, const std::string& name, const tlm::tlm_phase& phase);

}  // namespace allport
