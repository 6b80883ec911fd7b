// SPDX-License-Identifier: Apache-2.0
// A PinModel is a Verilated module behind plain words: the interface of the program and a model
// library, which is built when it is needed. The pins are described in
// docs/bring-your-own-router.md; bit i of a pin is bit i % 32 of word i / 32. The user sets the
// input words, calls clock(), and finds in the output words the values that the registers of the
// module drive in the next cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace allport {

/// Changes with every change of this interface: a library built for another version is refused.
constexpr std::uint32_t pin_model_version = 9;

class PinModel {
 public:
  virtual ~PinModel() = default;

  struct Inputs {
    std::uint32_t* valid_i = nullptr;
    std::uint32_t* flit_i = nullptr;
    std::uint32_t* credit_i = nullptr;
    std::uint32_t* credit_vc_i = nullptr;  ///< null: the module has no such pin
    std::uint32_t* ack_i = nullptr;        ///< likewise
    std::uint32_t* fault_i = nullptr;      ///< fault of a mutated module (scripts/mutate); likewise
    std::uint32_t* phits_i = nullptr;  ///< of a router with a table, set before reset(); likewise
    std::uint32_t* checksum_i = nullptr;  ///< with retry; likewise
    std::uint32_t* nack_i = nullptr;      ///< likewise
  };
  struct Outputs {
    const std::uint32_t* valid_o = nullptr;
    const std::uint32_t* flit_o = nullptr;
    const std::uint32_t* credit_o = nullptr;
    const std::uint32_t* credit_vc_o = nullptr;
    const std::uint32_t* ack_o = nullptr;       ///< null: the module has no such pin
    const std::uint32_t* checksum_o = nullptr;  ///< likewise
    const std::uint32_t* nack_o = nullptr;      ///< likewise
  };
  /// Registers of the twin, for observers; null pointers in any other module.
  struct Registers {
    const std::uint32_t* owner_q = nullptr;    ///< per output VC one bit per input VC
    const std::uint32_t* choice_q = nullptr;   ///< per input VC a VC
    const std::uint32_t* outputs_q = nullptr;  ///< per input VC one bit per output
    const std::uint32_t* taken_q = nullptr;    ///< likewise
    // What was decided in the last cycle; null without a crossbar delay:
    const std::uint32_t* grant_q = nullptr;     ///< per output one bit per input
    const std::uint32_t* vc_q = nullptr;        ///< per output a VC
    const std::uint32_t* crossing_q = nullptr;  ///< per input a flit without its vc
  };

  /// Drives rst_ni low for two edges, then high; inputs low, `address` on node_i.
  virtual void reset(std::uint32_t address) = 0;
  /// The routing table, `hops` by row, which the next reset() writes while rst_ni is low. Throws
  /// std::runtime_error if the module has no pins for it.
  virtual void set_table(const std::uint32_t* hops, std::size_t rows) = 0;
  /// One cycle with the inputs as they are. Throws std::runtime_error when the module stops the
  /// simulation ($fatal, $stop, $finish, a failed assertion, a loop that does not settle).
  virtual void clock() = 0;
  /// Puts the present inputs on the pins without an edge of the clock: the outputs then show what
  /// follows from them in the same cycle. Throws as clock() does.
  virtual void settle() = 0;
  /// Whether active_o is high; true if the module has no such pin.
  virtual bool is_active() const = 0;
  virtual bool has_active_pin() const = 0;
  /// Copies the registers that registers() points to.
  virtual void sample() = 0;

  const Inputs& inputs() const { return inputs_; }
  const Outputs& outputs() const { return outputs_; }
  const Registers& registers() const { return registers_; }

 protected:
  Inputs inputs_;
  Outputs outputs_;
  Registers registers_;
};

/// What a model library exports, under these names.
using PinModelVersion = std::uint32_t (*)();
/// `seed`: the seed of the state that the module does not reset; 0: that state is zero.
using PinModelCreate = PinModel* (*)(std::uint32_t seed);
constexpr const char* pin_model_version_symbol = "allport_pin_model_version";
constexpr const char* pin_model_create_symbol = "allport_pin_model_create";

}  // namespace allport
