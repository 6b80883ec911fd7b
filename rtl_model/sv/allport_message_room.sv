// SPDX-License-Identifier: Apache-2.0
// Whether there is room for the front flit of the owner of an output VC, if a message must fit into
// the next buffer before it moves (cut-through, store-and-forward): a head needs as many credits as
// its message has flits, including those that come in this cycle. The flits after the head need
// single credits only, which are checked elsewhere. Combinational.

module allport_message_room #(
  /// Input VCs of the router.
  parameter int unsigned InputVcs = 6,
  /// Flits of the buffer at the other end, 1 .. 4096.
  parameter int unsigned Depth = 4,
  localparam int unsigned LengthWidth = allport_pkg::LengthWidth,
  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1)
) (
  input  logic                            credit_i,   // a credit is on the wire
  input  logic [CreditWidth-1:0]          credits_i,  // credits before this cycle
  input  logic [InputVcs-1:0]             owner_i,    // one-hot, or none
  input  logic [InputVcs-1:0]             head_i,     // the front flit is a head ...
  input  logic [InputVcs*LengthWidth-1:0] length_i,   // ... of this many flits
  output logic                            has_room_o
);

  localparam int unsigned RoomWidth = ((CreditWidth > LengthWidth) ? CreditWidth : LengthWidth) + 1;

  logic [LengthWidth-1:0] length;  // zero: no head

  always_comb begin
    length = '0;
    for (int unsigned iv = 0; iv < InputVcs; iv++) begin
      if (owner_i[iv] && head_i[iv]) length = length | length_i[iv * LengthWidth +: LengthWidth];
    end
  end

  assign has_room_o = RoomWidth'(credits_i) + RoomWidth'(credit_i) >= RoomWidth'(length);

endmodule
