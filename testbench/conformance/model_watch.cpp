// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/model_watch.h"

#include <stdexcept>
#include <utility>

#include "rtl_model/verilated/pin_layout.h"

namespace allport {

class ModelWatch::Watched final : public PinModel {
 public:
  Watched(ModelWatch& watch, std::unique_ptr<PinModel> model)
      : watch_(watch), model_(std::move(model)) {
    inputs_ = model_->inputs();
    outputs_ = model_->outputs();
    registers_ = model_->registers();
  }

  void reset(std::uint32_t address) override {
    guard([&] { model_->reset(address); });
    watch_.idle_edges_ = 0;
  }
  void set_table(const std::uint32_t* hops, std::size_t rows) override {
    model_->set_table(hops, rows);
  }
  void clock() override {
    guard([&] { model_->clock(); });
    if (watch_.ports_ > 0) look_for_traffic();
  }
  void settle() override {
    guard([&] { model_->settle(); });
  }
  bool is_active() const override { return model_->is_active(); }
  bool has_active_pin() const override { return model_->has_active_pin(); }
  void sample() override { model_->sample(); }

 private:
  template <class Work>
  void guard(const Work& work) {
    ++watch_.steps_;
    try {
      work();
    } catch (const std::runtime_error& error) {
      ++watch_.steps_;
      if (watch_.stopped_.empty()) watch_.stopped_ = error.what();
      throw;
    }
    ++watch_.steps_;
  }

  void look_for_traffic() {
    for (int port = watch_.first_port_; port < watch_.ports_; ++port) {
      const auto bit = static_cast<std::size_t>(port);
      if (get_bit(inputs_.valid_i, bit) || get_bit(outputs_.valid_o, bit)) watch_.idle_edges_ = 0;
    }
    if (++watch_.idle_edges_ <= patience * watch_.models_) return;
    const std::string where = watch_.first_port_ > 0 ? "entered or left the fabric" : "moved";
    throw std::runtime_error(
        "no flit has " + where + " in " + std::to_string(patience) +
        " cycles, although its routers still ask to be clocked: flits go round in circles, or active_o stays high");
  }

  ModelWatch& watch_;
  std::unique_ptr<PinModel> model_;
};

void ModelWatch::expect_traffic(const RouterConfig& config, bool is_whole) {
  first_port_ = is_whole ? config.external_ports : 0;
  ports_ = config.ports();
}

std::unique_ptr<PinModel> ModelWatch::over(std::unique_ptr<PinModel> model) {
  steps_ += 2;
  ++models_;
  return std::make_unique<Watched>(*this, std::move(model));
}

}  // namespace allport
