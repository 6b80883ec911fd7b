// SPDX-License-Identifier: Apache-2.0
// Reception, including intermediate reception: which ejection channel gets a copy of a worm that
// arrived on an input. The last router ejects the worm; a deposit, tree or path worm leaves a copy
// at every router it passes, a multidestination or label worm where an entry of its list is
// stripped; the source's own processor receives nothing. Combinational.

module allport_reception_unit #(
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

  localparam logic [KindWidth-1:0] KindUnicast = allport_pkg::KindUnicast;
  localparam logic [KindWidth-1:0] KindMultidestination = allport_pkg::KindMultidestination;
  localparam logic [KindWidth-1:0] KindLabel = allport_pkg::KindLabel;

  // What arrived on external port p is ejected on p mod InternalPorts.
  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
    if (iv < Config.ExternalVcs) begin : gen_external
      localparam int unsigned Channel = (iv / Config.Vcs) % InternalPorts;
      logic [KindWidth-1:0] kind;
      logic goes_on, receives;

      always_comb begin
        kind = kind_i[iv * KindWidth +: KindWidth];
        goes_on = external_i[iv * ExternalPorts +: ExternalPorts] != '0;
        receives = !goes_on || is_stripped_i[iv]
            || ((kind != KindUnicast) && (kind != KindMultidestination) && (kind != KindLabel));
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
