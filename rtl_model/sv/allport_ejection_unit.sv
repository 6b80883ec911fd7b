// SPDX-License-Identifier: Apache-2.0
// Reception at the last router only: a worm of any kind is ejected where it has no external output;
// nothing is copied on the way. It replaces allport_reception_unit. Combinational.

module allport_ejection_unit #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned InternalPorts = Config.InternalPorts,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned KindWidth = allport_pkg::KindWidth
) (
  input  logic [InputVcs-1:0]               is_routing_i,   // a head is routed ...
  input  logic [InputVcs*KindWidth-1:0]     kind_i,         // ... of this kind
  input  logic [InputVcs-1:0]               is_stripped_i,  // ... whose list gets shorter here
  input  logic [InputVcs*ExternalPorts-1:0] external_i,     // ... to these external outputs
  output logic [InputVcs*InternalPorts-1:0] copies_o        // ... and to these ejection channels
);

  // What arrived on external port p is ejected on p mod InternalPorts.
  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
    if (iv < Config.ExternalVcs) begin : gen_external
      localparam int unsigned Channel = (iv / Config.Vcs) % InternalPorts;
      logic goes_on, receives, unused_kind;

      assign unused_kind = ^{kind_i[iv * KindWidth +: KindWidth], is_stripped_i[iv]};
      always_comb begin
        goes_on = external_i[iv * ExternalPorts +: ExternalPorts] != '0;
        receives = !goes_on;
        copies_o[iv * InternalPorts +: InternalPorts] = '0;
        copies_o[iv * InternalPorts + Channel] = is_routing_i[iv] && receives;
      end
    end else begin : gen_injection
      logic unused_head;

      always_comb copies_o[iv * InternalPorts +: InternalPorts] = '0;
      assign unused_head = ^{is_routing_i[iv], kind_i[iv * KindWidth +: KindWidth],
                             is_stripped_i[iv], external_i[iv * ExternalPorts +: ExternalPorts]};
    end
  end

endmodule
