// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/timeline/timeline.h"

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rtl_model/topology/channel_words.h"
#include "testbench/observe/explain/patience.h"
#include "testbench/show/timeline/csv_file.h"
#include "testbench/show/timeline/fill.h"
#include "testbench/show/timeline/ftr_file.h"
#include "testbench/show/timeline/lanes.h"
#include "testbench/show/timeline/perfetto_file.h"
#include "testbench/show/timeline/slices.h"
#include "testbench/show/timeline/wait_slices.h"

namespace allport {

namespace {

using Number = FabricChannels::Number;

class Timeline {
 public:
  Timeline(const ShownTrial& trial, const Topology& topology, TimelineFile& file, StopFlag stop)
      : trial_(trial),
        topology_(topology),
        history_(trial.explained.history),
        channels_(history_.channels()),
        log_(trial.log),
        waits_(trial, stop),
        slices_(trial, topology),
        file_(file) {
    sort_sent();
    sort_received();
  }

  void write() {
    for (std::size_t i = 0; i < channels_.nodes(); ++i) write_node(node_id(i));
  }

 private:
  void sort_sent() {
    sent_ = log_.sendings();
    const auto key = [this](const Sending& one) {
      return std::tuple(one.node, log_.sent(one.message, one.node).begun);
    };
    std::stable_sort(sent_.begin(), sent_.end(),
                     [&](const Sending& a, const Sending& b) { return key(a) < key(b); });
  }

  void sort_received() {
    for (const Reception& one : trial_.receptions) received_.push_back(&one);
    std::stable_sort(received_.begin(), received_.end(), [](const auto* a, const auto* b) {
      return std::tie(a->receiver, a->tail) < std::tie(b->receiver, b->tail);
    });
  }

  // Where two slices begin in one cycle, an arrow leads to the one that is written later: from the
  // processor to an injection channel, and from there to an output.
  void write_node(NodeId node) {
    const RouterConfig& config = channels_.config();
    const auto channel = [node](int port) {
      return Channel{node, port_id(static_cast<std::size_t>(port))};
    };
    NodeProcess process(file_, node);
    write_processor(node, process);
    write_waits(channels_.processor(node), {}, "the processor", process);
    for (int port = 0; port < config.internal_ports; ++port) {
      const bool is_there = channels_.has_input(node, config.external_ports + port);
      for (int vc = 0; vc < config.classes && is_there; ++vc) {
        const std::string place = input_in_words(topology_, channel(config.external_ports + port),
                                                 vc_among(config.classes, vc));
        write_channel(channels_.injection(node, port, vc), place, process);
        write_fill(history_, channels_.injection(node, port, vc), "fill of " + place, process);
      }
    }
    for (int port = 0; port < config.external_ports; ++port) {
      for (int vc = 0; vc < config.vcs && channels_.has_output(node, port); ++vc) {
        write_channel(channels_.output(node, port, vc),
                      output_in_words(topology_, channel(port), vc_among(config.vcs, vc)), process);
      }
    }
    for (int port = 0; port < config.external_ports; ++port) {
      for (int vc = 0; vc < config.vcs && channels_.has_input(node, port); ++vc) {
        write_fill(history_, channels_.input(node, port, vc),
                   "fill of " + input_in_words(topology_, channel(port), vc_among(config.vcs, vc)),
                   process);
      }
    }
    for (int port = 0; port < config.internal_ports; ++port) {
      const int output = config.external_ports + port;
      for (int vc = 0; vc < config.classes && channels_.has_output(node, output); ++vc) {
        write_channel(channels_.output(node, output, vc),
                      output_in_words(topology_, channel(output), vc_among(config.classes, vc)),
                      process);
      }
    }
  }

  // What it prepares and takes over.
  void write_processor(NodeId node, NodeProcess& process) {
    std::vector<TimelineSlice> jobs;
    for (; next_sent_ < sent_.size() && sent_[next_sent_].node == node; ++next_sent_) {
      const Sending& sent = sent_[next_sent_];
      if (log_.sent(sent.message, sent.node).preparation == 0) continue;
      jobs.push_back(slices_.preparation(sent));
    }
    for (; next_received_ < received_.size() && received_[next_received_]->receiver == node;
         ++next_received_) {
      const Reception& received = *received_[next_received_];
      if (trial_.tr > 0) jobs.push_back(slices_.reception(received));
    }
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Lanes lanes(process, "processor");
    for (const TimelineSlice& job : jobs) {
      const TimelineTrack track = lanes.take(job.first, job.end);
      file_.begin(track, job);
      file_.end(track, job.end);
    }
  }

  // The messages on a channel, each with its own waits that lie within; then all other waits.
  void write_channel(Number channel, const std::string& place, NodeProcess& process) {
    const WaitSlices::Range waits = waits_.at(channel);
    std::vector<bool> is_written(static_cast<std::size_t>(waits.second - waits.first), false);
    Lanes lanes(process, place);
    for (CrossingIndex one = history_.first(channel); one != 0; one = history_.after(one)) {
      if (channels_.is_injection(channel) && history_[one].sent == 0) continue;
      const TimelineSlice slice = slices_.message(one);
      const TimelineTrack track = lanes.take(slice.first, slice.end);
      file_.begin(track, slice);
      write_nested(slice, history_[one].message, waits, track, is_written);
      file_.end(track, slice.end);
    }
    write_waits(channel, is_written, place, process);
  }

  void write_nested(const TimelineSlice& outer, MessageId message, const WaitSlices::Range& waits,
                    TimelineTrack track, std::vector<bool>& is_written) {
    Cycle done = outer.first;
    auto wait = std::partition_point(waits.first, waits.second, [message](const WaitSlice& one) {
      return one.message < message;
    });
    for (; wait != waits.second && wait->message == message; ++wait) {
      const auto number = static_cast<std::size_t>(wait - waits.first);
      if (is_written[number] || wait->first < done || wait->end > outer.end) continue;
      is_written[number] = true;
      write_wait(*wait, track);
      done = wait->end;
    }
  }

  // The waits at `place` that are not yet written; `is_written` empty: all.
  void write_waits(Number place, const std::vector<bool>& is_written, const std::string& name,
                   NodeProcess& process) {
    const auto [begin, end] = waits_.at(place);
    std::vector<const WaitSlice*> rest;
    for (auto wait = begin; wait != end; ++wait) {
      const auto number = static_cast<std::size_t>(wait - begin);
      if (is_written.empty() || !is_written[number]) rest.push_back(&*wait);
    }
    std::stable_sort(rest.begin(), rest.end(),
                     [](const auto* a, const auto* b) { return a->first < b->first; });
    Lanes lanes(process, "waiting for " + name);
    for (const WaitSlice* wait : rest) write_wait(*wait, lanes.take(wait->first, wait->end));
  }

  void write_wait(const WaitSlice& wait, TimelineTrack track) {
    file_.begin(track, slices_.wait(wait));
    file_.end(track, wait.end);
  }

  const ShownTrial& trial_;
  const Topology& topology_;
  const History& history_;
  const FabricChannels& channels_;
  const MessageLog& log_;
  const WaitSlices waits_;
  const Slices slices_;
  TimelineFile& file_;
  std::vector<Sending> sent_;               // by sender, then cycle
  std::vector<const Reception*> received_;  // by receiver, then cycle
  std::size_t next_sent_ = 0;               // the first of a node that is not yet written
  std::size_t next_received_ = 0;
};

std::unique_ptr<TimelineFile> file_of(TimelineFormat format, const TimelineFile::Append& append,
                                      StopFlag stop) {
  if (format == TimelineFormat::csv) return std::make_unique<CsvFile>(append, stop);
  if (format == TimelineFormat::ftr) return std::make_unique<FtrFile>(append, stop);
  return create_perfetto_file(append, stop);
}

}  // namespace

void write_timeline(const ShownTrial& trial, const Topology& topology, TimelineFormat format,
                    const TimelineFile::Append& append, StopFlag stop) {
  heed(stop);  // a trial that was interrupted is not shown, and may have nothing to write
  const Patience patience(stop);
  const std::unique_ptr<TimelineFile> file = file_of(format, append, stop);
  Timeline(trial, topology, *file, stop).write();
  file->finish();
}

}  // namespace allport
