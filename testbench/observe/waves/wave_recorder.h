// SPDX-License-Identifier: Apache-2.0
// A WaveRecorder records routers of a fabric in a wave file, from outside: with and without it
// every cycle is the same. A time of the wave is a cycle (docs/guide/waves.md says what each signal
// shows in it). One recorder records one run, from reset: the fabric may be reset until its first
// cycle; at a later reset the recording ends. Cycles in which the fabric sleeps cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/observe/waves/router_twin.h"
#include "testbench/observe/waves/router_wave.h"
#include "testbench/observe/waves/wave_window.h"

namespace allport {

struct WaveOptions {
  std::string path;           ///< path of the file, ends in .vcd or .fst
  std::vector<NodeId> nodes;  ///< nodes whose routers are recorded; empty: all nodes
  Cycle from = 0;             ///< first cycle in the file
  Cycle to = WaveWindow::no_end;
  bool has_joins = false;  ///< whether the join units are shown
};

class WaveRecorder final : public CycleObserver, public FlitObserver, public LinkObserver {
 public:
  /// A flit that was in error, on a recorded channel.
  struct Error {
    Channel channel;  ///< its sender's output
    Cycle cycle;
    MessageId message;
  };

  /// Creates the file and registers with `fabric`, which must not run after the recorder is
  /// destroyed. `name` gives the name of a message, `is_contention` says whether a loss is
  /// contention (none: every loss is, unless a message waits for itself). Throws
  /// std::invalid_argument when an option is wrong or the file cannot be created.
  WaveRecorder(Fabric& fabric, const WaveOptions& options, MessageNames name,
               IsContention is_contention = {});
  ~WaveRecorder() override;
  WaveRecorder(const WaveRecorder&) = delete;
  WaveRecorder& operator=(const WaveRecorder&) = delete;

  /// Shows the twins of the routers of recorded nodes under `rtl`; the file ends with the cycle in
  /// which one of them differs. To be called at most once, before the first cycle.
  void add_twins(std::vector<RouterTwin> twins);

  void on_cycle(Cycle now) override;
  void on_injected(NodeId node, int port, const Flit& flit, Cycle on_channel) override;
  void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) override;
  void on_won(NodeId node, int output, const Flit& flit, Cycle decided) override;
  void on_acknowledged(NodeId node, int input, int vc, Cycle on_wire) override;
  void on_error(Channel channel, const Flit& flit, Cycle now, Cycle nack) override;
  void on_discarded(Channel channel, const Flit& flit, Cycle now, Cycle again) override;

  /// Completes the file after the run, whose last cycle is `end` (a destroyed recorder leaves the
  /// file readable, without the last decisions). Throws std::runtime_error when it could not be
  /// written.
  void finish(Cycle end);

  // For the viewer's save file:
  const Fabric& fabric() const { return fabric_; }
  const std::string& path() const { return path_; }
  Cycle first() const { return window_.from(); }
  /// The last cycle in the file, once it is finished.
  Cycle last() const { return window_.last(); }
  /// The activity of the fabric's routers, each with its twin.
  std::vector<RouterActivity> activity() const;
  /// The cycle in which twins differ; none if they do not.
  std::optional<Cycle> difference() const;
  /// The errors in the recorded cycles, ascending.
  const std::vector<Error>& errors() const { return errors_; }
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
    bool is_discarded = false;  // an input does not take it
  };
  struct Mark {  // an error of the input `line`, or a nack of the output `line`
    Cycle cycle = 0;
    Line line = no_line;
  };
  struct AckEvent {  // an acknowledgement is on VC `vc` of the input `line` in `cycle`
    Cycle cycle = 0;
    Line line = no_line;
    int vc = 0;
  };
  struct Twin {
    RouterTwin model;
    std::size_t router = 0;       // place of the fabric's router in routers_
    RouterWave* shown = nullptr;  // null: its node is not recorded
  };
  class TwinFlits final : public FlitObserver {
   public:
    explicit TwinFlits(WaveRecorder& recorder) : recorder_(recorder) {}
    void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) override {
      recorder_.on_sent_by_twin(node, output, flit, on_channel);
    }
    void on_acknowledged(NodeId node, int input, int vc, Cycle on_wire) override {
      recorder_.on_acknowledged_by_twin(node, input, vc, on_wire);
    }

   private:
    WaveRecorder& recorder_;
  };

  Line input_line(NodeId node, int input) const;
  Line output_line(NodeId node, int output) const;
  Line far_input(Channel channel) const {
    return far_inputs_[index(channel.node) *
                           static_cast<std::size_t>(fabric_.config().external_ports) +
                       index(channel.port)];
  }
  void put_far(const Event& event);
  void put_mark(const Mark& mark);
  bool is_input(Line line) const { return line / ports_ % 2 == 0; }
  RouterWave& router_of(Line line) const {
    return *routers_[static_cast<std::size_t>(line / ports_ / 2)];
  }
  bool is_seen(MessageId message) const {
    const auto place = static_cast<std::size_t>(message);
    return place < is_seen_.size() && is_seen_[place];
  }
  bool is_of_twin(Line line) const {
    return static_cast<std::size_t>(line / ports_ / 2) >= twin_places_.size();
  }
  /// The twin that receives the input `line` as well; null if there is none.
  RouterWave* twin_of(Line line) const {
    const std::int32_t place = twin_places_[static_cast<std::size_t>(line / ports_ / 2)];
    return place < 0 ? nullptr : routers_[static_cast<std::size_t>(place)].get();
  }
  /// The first line of the twin of a recorded node.
  Line twin_line(NodeId node) const {
    return twin_places_[static_cast<std::size_t>(recorded_[index(node)])] * 2 * ports_;
  }
  void on_sent_by_twin(NodeId node, int output, const Flit& flit, Cycle on_channel);
  void on_acknowledged_by_twin(NodeId node, int input, int vc, Cycle on_wire);
  void declare(std::vector<NodeId> nodes);
  void find_far_inputs();
  void hide_arrivals(const std::deque<Event>& events, Cycle until);
  void show_settled(Cycle now, bool has_accepted);
  bool show_differences(Cycle cycle);
  void show_channels(Cycle cycle);
  void show_arriving(std::deque<Event>& events, Cycle cycle);
  void show_acks(Cycle cycle);
  void show_marks(Cycle cycle);
  void show_channel(Line line, const Flit* flit, Cycle cycle);
  Cycle next_event() const;

  Fabric& fabric_;
  std::string path_;
  MessageNames name_;
  IsContention is_contention_;
  IsContention is_twins_contention_;  // for the messages of a twin, which may have wrong numbers
  WaveWindow window_;
  const bool has_joins_;
  const Line ports_;
  std::vector<std::unique_ptr<RouterWave>> routers_;  // those of the fabric, then the twins
  std::vector<std::int32_t> recorded_;                // by node: place in routers_, or -1
  std::vector<std::int32_t>
      twin_places_;  // by place of a fabric's router: the place of its twin, or -1
  std::vector<Twin> twins_;
  TwinFlits twin_flits_{*this};
  std::vector<Line> far_inputs_;      // by node and external output: the line to which it leads
  std::deque<Event> near_;            // injections and outputs, by cycle
  std::deque<Event> far_;             // inputs after a link, by cycle
  std::deque<AckEvent> acks_;         // sent by routers, by cycle
  std::vector<AckEvent> shown_acks_;  // on the wires in the cycle shown last
  std::deque<Mark> marks_;            // by cycle
  std::vector<Mark> shown_marks_;     // of the cycle shown last
  std::vector<Error> errors_;
  std::vector<Line> busy_;      // lines with a flit in the cycle shown last
  std::vector<Line> idle_d_;    // lines that may have become idle
  std::vector<Cycle> busy_in_;  // by line: the last cycle with a flit
  std::vector<bool> is_seen_;   // by message
  Cycle last_ = -1;             // the last cycle seen by on_cycle()
  bool is_over_ = false;
};

}  // namespace allport
