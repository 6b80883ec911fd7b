// SPDX-License-Identifier: Apache-2.0
// This file puts the pins of a module behind PinModel. It is compiled into a model library together
// with Verilator's output for the module, and determines at compile time which pins exist.
#include <verilated.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "Vmodel.h"
#include "Vmodel___024root.h"
#include "pin_model.h"

namespace {

[[noreturn]] void stop(const char* what, const char* file, int line) {
  std::string text = what;
  if (file != nullptr && *file != '\0') {
    text += " (" + std::string(file) + ":" + std::to_string(line) + ")";
  }
  throw std::runtime_error(text);
}

}  // namespace

// Verilator's run time calls these instead of ending the process.
void vl_finish(const char* file, int line, const char*) { stop("it called $finish", file, line); }
void vl_stop(const char* file, int line, const char*) {
  stop("it called $stop, or an assertion failed", file, line);
}
void vl_fatal(const char* file, int line, const char*, const char* message) {
  const bool is_loop = std::strstr(message, "did not converge") != nullptr;
  stop(is_loop ? "a combinational loop: it does not settle" : message, file, line);
}

namespace {

using Words = std::vector<std::uint32_t>;
using Root = Vmodel___024root;

template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
std::size_t words_of(const T&) {
  return sizeof(T) > 4 ? 2 : 1;
}
template <std::size_t N>
std::size_t words_of(const VlWide<N>&) {
  return N;
}

template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
void drive(T& pin, const Words& words) {
  if constexpr (sizeof(T) > 4) {
    pin = static_cast<T>(words[1]) << 32 | words[0];
  } else {
    pin = static_cast<T>(words[0]);
  }
}
template <std::size_t N>
void drive(VlWide<N>& pin, const Words& words) {
  std::copy_n(words.data(), N, pin.data());
}

template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
void look(const T& pin, Words& words) {
  words[0] = static_cast<std::uint32_t>(pin);
  if constexpr (sizeof(T) > 4) words[1] = static_cast<std::uint32_t>(pin >> 32);
}
template <std::size_t N>
void look(const VlWide<N>& pin, Words& words) {
  std::copy_n(pin.data(), N, words.data());
}

// PIN(name): a Words `name` with functions that drive the pin and read it, if it exists.
#define PIN(pin)                                                             \
  struct pin##_pin {                                                         \
    Words words;                                                             \
    template <class M>                                                       \
    auto find(M& model, int) -> decltype(model.pin, void()) {                \
      words.resize(words_of(model.pin));                                     \
    }                                                                        \
    template <class M>                                                       \
    void find(M&, long) {}                                                   \
    template <class M>                                                       \
    auto put(M& model, int) -> decltype(model.pin, void()) {                 \
      drive(model.pin, words);                                               \
    }                                                                        \
    template <class M>                                                       \
    void put(M&, long) {}                                                    \
    template <class M>                                                       \
    auto get(M& model, int) -> decltype(model.pin, void()) {                 \
      look(model.pin, words);                                                \
    }                                                                        \
    template <class M>                                                       \
    void get(M&, long) {}                                                    \
    std::uint32_t* data() { return words.empty() ? nullptr : words.data(); } \
  }

// Clock and reset, which a module that does not keep the contract may lack or have wider; its
// library is built all the same, so that check_pins() can say so.
template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
void set_level(T& pin, bool level) {
  pin = level ? 1 : 0;
}
template <std::size_t N>
void set_level(VlWide<N>& pin, bool level) {
  pin[0] = level ? 1 : 0;
}
template <class M>
auto set_clock(M& model, bool level, int) -> decltype(model.clk_i, void()) {
  set_level(model.clk_i, level);
}
template <class M>
void set_clock(M&, bool, long) {}
template <class M>
auto set_reset_n(M& model, bool level, int) -> decltype(model.rst_ni, void()) {
  set_level(model.rst_ni, level);
}
template <class M>
void set_reset_n(M&, bool, long) {}

PIN(node_i);
PIN(valid_i);
PIN(flit_i);
PIN(credit_i);
PIN(credit_vc_i);
PIN(ack_i);
PIN(fault_i);
PIN(phits_i);
PIN(checksum_i);
PIN(nack_i);
PIN(table_write_i);
PIN(table_row_i);
PIN(table_hop_i);
PIN(valid_o);
PIN(flit_o);
PIN(credit_o);
PIN(credit_vc_o);
PIN(ack_o);
PIN(checksum_o);
PIN(nack_o);
PIN(active_o);

// The registers of a twin, whose top ALLPORT_TWIN names, lie in its core.
#ifdef ALLPORT_TWIN
#define TWIN_PLACE(top, place) top##__DOT__u_core__DOT__##place
#define TWIN_PLACE_IN(top, place) TWIN_PLACE(top, place)
#define TWIN_REGISTER(place) TWIN_PLACE_IN(ALLPORT_TWIN, place)
#define CROSSING_REGISTER(name) \
  TWIN_REGISTER(u_crossbar__DOT__gen_delay__DOT__u_crossing_register__DOT__##name)
#endif

#ifdef ALLPORT_OWN
// The falling edge of the clock does nothing in our own RTL, so telling Verilator that it has
// passed saves an evaluation.
template <class R>
auto has_fallen(R& root, int) -> decltype(root.__Vtrigrprev__TOP__clk_i, bool()) {
  root.__Vtrigrprev__TOP__clk_i = 0;
  return true;
}
#endif
template <class R>
bool has_fallen(R&, long) {
  return false;
}

class Wrapper final : public allport::PinModel {
 public:
  explicit Wrapper(std::uint32_t seed) {
    context_.randReset(seed == 0 ? 0 : 2);
    context_.randSeed(static_cast<int>(seed));
    model_ = std::make_unique<Vmodel>(&context_, "router");
    node_.find(*model_, 0);
    valid_i_.find(*model_, 0);
    flit_i_.find(*model_, 0);
    credit_i_.find(*model_, 0);
    credit_vc_i_.find(*model_, 0);
    ack_i_.find(*model_, 0);
    fault_i_.find(*model_, 0);
    phits_i_.find(*model_, 0);
    checksum_i_.find(*model_, 0);
    nack_i_.find(*model_, 0);
    table_write_i_.find(*model_, 0);
    table_row_i_.find(*model_, 0);
    table_hop_i_.find(*model_, 0);
    valid_o_.find(*model_, 0);
    flit_o_.find(*model_, 0);
    credit_o_.find(*model_, 0);
    credit_vc_o_.find(*model_, 0);
    ack_o_.find(*model_, 0);
    checksum_o_.find(*model_, 0);
    nack_o_.find(*model_, 0);
    active_o_.find(*model_, 0);
    inputs_ = {valid_i_.data(),     flit_i_.data(),     credit_i_.data(),
               credit_vc_i_.data(), ack_i_.data(),      fault_i_.data(),
               phits_i_.data(),     checksum_i_.data(), nack_i_.data()};
    outputs_ = {valid_o_.data(), flit_o_.data(),     credit_o_.data(), credit_vc_o_.data(),
                ack_o_.data(),   checksum_o_.data(), nack_o_.data()};
    find_registers();
  }
  // A model takes its scopes (there is one for each %m) off the context that is current, and the
  // current one belongs to the model made last, which may be gone.
  ~Wrapper() override {
    Verilated::threadContextp(&context_);
    model_->final();
    model_.reset();
    Verilated::threadContextp(Verilated::defaultContextp());
  }

  void reset(std::uint32_t address) override {
    be_current();
    for (Words* words : {&valid_i_.words, &flit_i_.words, &credit_i_.words, &credit_vc_i_.words,
                         &ack_i_.words, &checksum_i_.words, &nack_i_.words}) {
      std::fill(words->begin(), words->end(), 0);
    }
    if (!node_.words.empty()) node_.words[0] = address;
    node_.put(*model_, 0);
    put_inputs();
    set_clock(*model_, false, 0);
    set_reset_n(*model_, true, 0);
    model_->eval();
    set_reset_n(*model_, false, 0);
    for (int edge = 0; edge < 2; ++edge) give_edge();
    write_table();
    set_clock(*model_, false, 0);
    set_reset_n(*model_, true, 0);
    model_->eval();
    get_outputs();
    sample();
  }

  void set_table(const std::uint32_t* hops, std::size_t rows) override {
    if (table_write_i_.words.empty()) throw std::runtime_error("it has no pins for a table");
    table_.assign(hops, hops + rows);
  }

  void clock() override {
    be_current();
    put_inputs();
    if (!has_fallen(*model_->rootp, 0)) {
      set_clock(*model_, false, 0);
      evaluate_inputs();
    }
    set_clock(*model_, true, 0);
    model_->eval();
    get_outputs();
  }

  void settle() override {
    be_current();
    put_inputs();
    evaluate_inputs();
    get_outputs();
  }

  bool is_active() const override {
    return active_o_.words.empty() || std::any_of(active_o_.words.begin(), active_o_.words.end(),
                                                  [](std::uint32_t word) { return word != 0; });
  }
  bool has_active_pin() const override { return !active_o_.words.empty(); }

  void sample() override {
#ifdef ALLPORT_TWIN
    const Root& root = *model_->rootp;
    look(root.TWIN_REGISTER(u_vc_allocator__DOT__owner_q), owner_q_);
    look(root.TWIN_REGISTER(u_vc_allocator__DOT__choice_q), choice_q_);
    look(root.TWIN_REGISTER(u_route_computation__DOT__outputs_q), outputs_q_);
    look_taken(root, 0);
    look_crossing(root, 0);
#endif
  }

 private:
  // Makes its context current, for the time, the scopes and the random numbers that the RTL
  // requests; our own RTL requests none.
  void be_current() {
#ifndef ALLPORT_OWN
    Verilated::threadContextp(&context_);
#endif
  }
  // What follows from the inputs. Verilator 5.006 does not always settle circular logic at once.
  void evaluate_inputs() {
#ifdef ALLPORT_CIRCULAR
    constexpr int further = 4;
    for (int i = 0; i < further; ++i) model_->eval();
#endif
    model_->eval();
  }
  void give_edge() {
    set_clock(*model_, false, 0);
    model_->eval();
    set_clock(*model_, true, 0);
    model_->eval();
  }
  // A row in each cycle; the table outlives later resets.
  void write_table() {
    for (std::size_t row = 0; row < table_.size(); ++row) {
      table_write_i_.words[0] = 1;
      table_row_i_.words[0] = static_cast<std::uint32_t>(row);
      table_hop_i_.words[0] = table_[row];
      put_table();
      give_edge();
    }
    if (table_.empty()) return;
    table_write_i_.words[0] = 0;
    put_table();
    table_.clear();
  }
  void put_table() {
    table_write_i_.put(*model_, 0);
    table_row_i_.put(*model_, 0);
    table_hop_i_.put(*model_, 0);
  }
  void put_inputs() {
    valid_i_.put(*model_, 0);
    flit_i_.put(*model_, 0);
    credit_i_.put(*model_, 0);
    credit_vc_i_.put(*model_, 0);
    ack_i_.put(*model_, 0);
    fault_i_.put(*model_, 0);
    phits_i_.put(*model_, 0);
    checksum_i_.put(*model_, 0);
    nack_i_.put(*model_, 0);
  }
  void get_outputs() {
    valid_o_.get(*model_, 0);
    flit_o_.get(*model_, 0);
    credit_o_.get(*model_, 0);
    credit_vc_o_.get(*model_, 0);
    ack_o_.get(*model_, 0);
    checksum_o_.get(*model_, 0);
    nack_o_.get(*model_, 0);
    active_o_.get(*model_, 0);
  }

#ifdef ALLPORT_TWIN
  template <class R>
  auto look_taken(R& root, int)
      -> decltype(root.TWIN_REGISTER(gen_replication__DOT__u_replication_unit__DOT__taken_q),
                  void()) {
    const auto& taken = root.TWIN_REGISTER(gen_replication__DOT__u_replication_unit__DOT__taken_q);
    taken_q_.resize(words_of(taken));
    look(taken, taken_q_);
  }
  template <class R>
  void look_taken(R&, long) {  // one branch at a time: nothing has taken the front flit
    taken_q_.resize(outputs_q_.size());
  }
  template <class R>
  auto look_crossing(R& root, int) -> decltype(root.CROSSING_REGISTER(grant_q), void()) {
    look_resized(root.CROSSING_REGISTER(grant_q), grant_q_);
    look_resized(root.CROSSING_REGISTER(vc_q), vc_q_);
    look_resized(root.CROSSING_REGISTER(flit_q), crossing_q_);
  }
  template <class R>
  void look_crossing(R&, long) {}  // without a crossbar delay
  template <class T>
  static void look_resized(const T& pin, Words& words) {
    words.resize(words_of(pin));
    look(pin, words);
  }
  static const std::uint32_t* data_of(const Words& words) {
    return words.empty() ? nullptr : words.data();
  }
#endif
  void find_registers() {
#ifdef ALLPORT_TWIN
    const Root& root = *model_->rootp;
    owner_q_.resize(words_of(root.TWIN_REGISTER(u_vc_allocator__DOT__owner_q)));
    choice_q_.resize(words_of(root.TWIN_REGISTER(u_vc_allocator__DOT__choice_q)));
    outputs_q_.resize(words_of(root.TWIN_REGISTER(u_route_computation__DOT__outputs_q)));
    look_taken(root, 0);
    look_crossing(root, 0);
    registers_ = {owner_q_.data(),   choice_q_.data(), outputs_q_.data(),   taken_q_.data(),
                  data_of(grant_q_), data_of(vc_q_),   data_of(crossing_q_)};
#endif
  }

  VerilatedContext context_;
  std::unique_ptr<Vmodel> model_;
  node_i_pin node_;
  valid_i_pin valid_i_;
  flit_i_pin flit_i_;
  credit_i_pin credit_i_;
  credit_vc_i_pin credit_vc_i_;
  ack_i_pin ack_i_;
  fault_i_pin fault_i_;
  phits_i_pin phits_i_;
  checksum_i_pin checksum_i_;
  nack_i_pin nack_i_;
  table_write_i_pin table_write_i_;
  table_row_i_pin table_row_i_;
  table_hop_i_pin table_hop_i_;
  Words table_;  // hops that the next reset writes, by row
  valid_o_pin valid_o_;
  flit_o_pin flit_o_;
  credit_o_pin credit_o_;
  credit_vc_o_pin credit_vc_o_;
  ack_o_pin ack_o_;
  checksum_o_pin checksum_o_;
  nack_o_pin nack_o_;
  active_o_pin active_o_;
  Words owner_q_;
  Words choice_q_;
  Words outputs_q_;
  Words taken_q_;
  Words grant_q_;
  Words vc_q_;
  Words crossing_q_;
};

}  // namespace

extern "C" std::uint32_t allport_pin_model_version() { return allport::pin_model_version; }
extern "C" allport::PinModel* allport_pin_model_create(std::uint32_t seed) {
  return new Wrapper(seed);
}
