// SPDX-License-Identifier: Apache-2.0
// A HostChannel leads from the host of a machine (the NCUBE of [Ranka88]) to all nodes, and is no
// part of the fabric: it carries one transfer at a time, in the order in which they are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "rtl_model/systemc/cycle_clock.h"
#include "traffic/tasks/host_model.h"

namespace allport {

/// What has gone over a channel, what is under way included.
struct HostTransfers {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  Cycle busy = 0;  ///< cycles that they take together
};

/// The channel: a target of TLM-2.0, loosely timed. b_transport adds to `delay` the time until the
/// transfer of the payload is over.
class HostChannel final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket;

  HostChannel(const sc_core::sc_module_name& name, const HostModel& model);

  /// From now on `clock`, which must outlive the channel, counts the cycles; nothing is under way.
  void reset(const CycleClock& clock);
  const HostTransfers& transfers() const { return transfers_; }

  // tlm_fw_transport_if
  void b_transport(tlm::tlm_generic_payload& message, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

 private:
  const HostModel model_;
  const CycleClock* clock_ = nullptr;
  Cycle free_at_ = 0;
  HostTransfers transfers_;
};

/// The channel and the end at which host and nodes ask it for transfers. It must be made before the
/// simulation that uses it.
class HostLink final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  HostLink(const sc_core::sc_module_name& name, const HostModel& model);

  void reset(const CycleClock& clock);
  /// Asks in the present cycle for a transfer of `bytes` bytes, and returns the cycles until it is
  /// over.
  Cycle carry(std::size_t bytes);
  const HostTransfers& transfers() const { return channel_.transfers(); }

  // tlm_bw_transport_if
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 private:
  HostChannel channel_;
  tlm::tlm_initiator_socket<> socket_;
  const CycleClock* clock_ = nullptr;
};

}  // namespace allport
