// SPDX-License-Identifier: Apache-2.0
// Records routers of a fabric in a wave file, from outside: with and without it every cycle is the
// same. A time of the wave is a cycle (docs/waves.md says what each signal shows in it). One
// recorder takes one run, from reset: the fabric may be reset until its first cycle; at a later
// reset the recording ends. Cycles in which the fabric sleeps cost nothing. Needs the fabric's
// place for a flit observer for itself.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/waves/router_wave.h"
#include "testbench/waves/wave_window.h"

namespace allport {

struct WaveOptions {
  std::string path;           ///< ends in .vcd or .fst
  std::vector<NodeId> nodes;  ///< whose routers are recorded; empty: all
  Cycle from = 0;             ///< first cycle in the file
  Cycle to = WaveWindow::no_end;
};

class WaveRecorder final : public CycleObserver, public FlitObserver {
 public:
  /// Creates the file and registers with `fabric`, which must not run any more once the recorder is
  /// gone; `name` tells a message's name. Throws std::invalid_argument when an option is wrong or
  /// the file cannot be created.
  WaveRecorder(Fabric& fabric, const WaveOptions& options, MessageNames name);
  ~WaveRecorder() override;
  WaveRecorder(const WaveRecorder&) = delete;
  WaveRecorder& operator=(const WaveRecorder&) = delete;

  void on_cycle(Cycle now) override;
  void on_injected(NodeId node, int port, const Flit& flit, Cycle on_channel) override;
  void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) override;

  /// The run has ended, `end` is its last cycle: completes the file (a destroyed recorder leaves it
  /// readable, without the last decisions). Throws std::runtime_error when it could not be written.
  void finish(Cycle end);

  // For the viewer's save file:
  const Fabric& fabric() const { return fabric_; }
  const std::string& path() const { return path_; }
  Cycle first() const { return window_.from(); }
  /// The last cycle in the file, once it is finished.
  Cycle last() const { return window_.last(); }
  std::vector<RouterActivity> activity() const;
  /// Messages seen on a recorded channel up to the last cycle in the file, ascending.
  std::vector<MessageId> messages() const;
  const MessageNames& name() const { return name_; }

 private:
  using Line = std::int32_t;  // a channel at an input or output of a recorded router
  static constexpr Line no_line = -1;
  struct Event {  // `flit` is on `line` in `cycle`
    Cycle cycle = 0;
    Line line = no_line;
    Flit flit;
  };

  Line input_line(NodeId node, int input) const;
  Line output_line(NodeId node, int output) const;
  bool is_input(Line line) const { return line / ports_ % 2 == 0; }
  RouterWave& router_of(Line line) const {
    return *routers_[static_cast<std::size_t>(line / ports_ / 2)];
  }
  void declare(std::vector<NodeId> nodes);
  void find_far_inputs();
  void hide_arrivals(const std::deque<Event>& events, Cycle until);
  void show_settled(Cycle now, bool has_accepted);
  void show_channels(Cycle cycle);
  void show_arriving(std::deque<Event>& events, Cycle cycle);
  void show_channel(Line line, const Flit* flit, Cycle cycle);
  Cycle next_event() const;

  Fabric& fabric_;
  std::string path_;
  MessageNames name_;
  WaveWindow window_;
  const Line ports_;
  std::vector<std::unique_ptr<RouterWave>> routers_;
  std::vector<std::int32_t> recorded_;  // by node: place in routers_, or -1
  std::vector<Line> far_inputs_;        // by node and external output: where it leads to
  std::deque<Event> near_;              // injections and outputs, by cycle
  std::deque<Event> far_;               // inputs behind a link, by cycle
  std::vector<Line> busy_;              // lines with a flit in the cycle shown last
  std::vector<Line> idle_d_;            // candidates for having become idle
  std::vector<Cycle> busy_in_;          // by line: the last cycle with a flit
  std::vector<bool> is_seen_;           // by message
  Cycle last_ = -1;                     // the last cycle seen by on_cycle()
  bool is_over_ = false;
};

}  // namespace allport
