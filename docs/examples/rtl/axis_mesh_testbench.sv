// SPDX-License-Identifier: Apache-2.0
// Random frames between the AXI4-Streams of a whole fabric, with pauses at the senders and stalls
// at the receivers. Each frame says who sent it, to whom, which of the frames between the two it is
// and how long it is; all its other bits follow from that. The simulation ends with an error if a
// frame is lost, doubled, changed or torn, if an output of a stream breaks a rule of the handshake,
// if nothing moves any more, or, where messages cannot overtake one another, if the frames between
// two nodes come in another order.

module axis_mesh_testbench #(
  parameter int unsigned Topology = allport_pkg::TopologyMesh,
  parameter int unsigned Dimensions = 2,
  parameter int unsigned Side0 = 3,
  parameter int unsigned Side1 = 3,
  parameter int unsigned InternalPorts = 1,
  parameter int unsigned Vcs = 1,
  parameter int unsigned Depth = 4,
  parameter int unsigned LinkDelay = 0,
  parameter int unsigned Switching = 0
);

  localparam logic [47:0] Sides = allport_pkg::side_vector(Side0, Side1, 0);
  localparam int unsigned Nodes = allport_pkg::node_count(Topology, Dimensions, Sides);
  localparam int unsigned Streams = Nodes * InternalPorts;
  localparam int unsigned AddressWidth =
      allport_pkg::coordinate_offset(Topology, Sides, Dimensions);
  localparam int unsigned TieWidth = allport_pkg::tie_width(Topology, Dimensions);
  localparam bit HasLength = allport_pkg::needs_room(Switching);
  localparam int unsigned RouteWidth =
      allport_pkg::KindWidth + TieWidth + (HasLength ? allport_pkg::LengthWidth : 0);
  localparam int unsigned TagWidth = 8;
  localparam int unsigned UserWidth =
      allport_pkg::user_width(Topology, Dimensions, Switching, TagWidth);
  localparam int unsigned MostBeats = HasLength ? Depth : 12;
  // With one VC in each class a message cannot pass another one that goes the same way.
  localparam bit IsOrdered =
      Vcs == ((Topology == allport_pkg::TopologyTorus) && (Vcs > 1) ? 2 : 1);
  localparam int unsigned StandstillCycles = 20000;

  typedef struct packed {
    logic [15:0] source;
    logic [15:0] destination;
    logic [23:0] number;  // among the frames from this source to this destination
    logic [7:0]  beats;
  } frame_t;

  logic clk, rst_n;
  logic [Streams-1:0] s_valid, s_ready, s_last, m_valid, m_ready, m_last;
  logic [Streams*64-1:0] s_data, m_data;
  logic [Streams*8-1:0] s_keep, m_keep;
  logic [Streams*AddressWidth-1:0] s_dest, m_id;
  logic [Streams*UserWidth-1:0] s_user, m_user;

  int unsigned state, frames_wanted, frames_begun, frames_received, out_of_order;
  int unsigned beats_received, pauses, stalls, cycle, last_move;
  int unsigned begun [Nodes*Nodes], received [Nodes*Nodes];  // by source and destination
  bit is_outstanding [logic [55:0]];                         // source, destination, number
  frame_t sending [Streams], receiving [Streams];
  int unsigned next_sent [Streams], next_received [Streams];  // beat of the frame
  bit is_sending [Streams];
  int unsigned send_percent [Streams], ready_percent [Streams];
  // The outputs of the last cycle, where they waited.
  logic [Streams-1:0] was_stalled, old_last;
  logic [Streams*64-1:0] old_data;
  logic [Streams*8-1:0] old_keep;
  logic [Streams*AddressWidth-1:0] old_id;
  logic [Streams*UserWidth-1:0] old_user;

  allport_axis_fabric #(
    .Topology(Topology),
    .Dimensions(Dimensions),
    .Sides(Sides),
    .InternalPorts(InternalPorts),
    .Vcs(Vcs),
    .Depth(Depth),
    .LinkDelay(LinkDelay),
    .Switching(Switching),
    .TagWidth(TagWidth)
  ) u_fabric (
    .clk_i(clk),
    .rst_ni(rst_n),
    .s_axis_tvalid(s_valid),
    .s_axis_tready(s_ready),
    .s_axis_tdata(s_data),
    .s_axis_tkeep(s_keep),
    .s_axis_tlast(s_last),
    .s_axis_tdest(s_dest),
    .s_axis_tuser(s_user),
    .m_axis_tvalid(m_valid),
    .m_axis_tready(m_ready),
    .m_axis_tdata(m_data),
    .m_axis_tkeep(m_keep),
    .m_axis_tlast(m_last),
    .m_axis_tid(m_id),
    .m_axis_tuser(m_user)
  );

  always #5 clk = !clk;

  // Xorshift [Marsaglia 2003], 32 bits.
  function automatic int unsigned draw(input int unsigned below);
    state = state ^ (state << 13);
    state = state ^ (state >> 17);
    state = state ^ (state << 5);
    draw = state % below;
  endfunction

  function automatic logic [AddressWidth-1:0] address(input int unsigned node);
    address = AddressWidth'(allport_pkg::node_address(Topology, Dimensions, Sides, node));
  endfunction

  // What a beat carries: the first one says which frame it is.
  function automatic logic [63:0] data(input frame_t frame, input int unsigned beat);
    data = frame;
    if (beat > 0) data = (frame + 64'(beat)) * 64'h9e37_79b9_7f4a_7c15;
  endfunction

  function automatic logic [7:0] keep(input frame_t frame, input int unsigned beat);
    keep = '1;
    if (beat + 1 == 32'(frame.beats)) keep = 8'hff >> (frame.number % 8);
  endfunction

  function automatic logic [TagWidth-1:0] tag(input frame_t frame, input int unsigned beat);
    tag = TagWidth'(32'(frame.number) + 3 * beat);
  endfunction

  // In tuser behind the kind, which is 0; exact ties of a torus go in either direction.
  function automatic logic [UserWidth-1:0] user(input frame_t frame, input int unsigned beat);
    user = UserWidth'(tag(frame, beat)) << RouteWidth;
    if (Topology == allport_pkg::TopologyTorus) begin
      user = user | (UserWidth'(TieWidth'(frame.source ^ frame.destination))
          << allport_pkg::KindWidth);
    end
    if (HasLength) user = user | (UserWidth'(frame.beats) << (allport_pkg::KindWidth + TieWidth));
  endfunction

  // A new frame on a stream; all frames between two nodes go by the same stream.
  function automatic frame_t new_frame(input int unsigned s);
    int unsigned destination;
    do destination = draw(Nodes);
    while ((destination == s / InternalPorts)
        || (destination % InternalPorts != s % InternalPorts));
    new_frame.source = 16'(s / InternalPorts);
    new_frame.destination = 16'(destination);
    new_frame.number = 24'(begun[(s / InternalPorts) * Nodes + destination]);
    new_frame.beats = 8'(1 + draw(MostBeats));
  endfunction

  task automatic begin_frame(input int unsigned s);
    frame_t frame;
    frame = new_frame(s);
    sending[s] = frame;
    next_sent[s] = 0;
    is_sending[s] = 1;
    begun[32'(frame.source) * Nodes + 32'(frame.destination)]++;
    is_outstanding[frame[63:8]] = 1;
    frames_begun++;
  endtask

  task automatic offer_beat(input int unsigned s);
    s_valid[s] <= 1;
    s_data[64 * s +: 64] <= data(sending[s], next_sent[s]);
    s_keep[8 * s +: 8] <= keep(sending[s], next_sent[s]);
    s_dest[AddressWidth * s +: AddressWidth] <= address(32'(sending[s].destination));
    s_user[UserWidth * s +: UserWidth] <= user(sending[s], next_sent[s]);
    next_sent[s]++;
    s_last[s] <= next_sent[s] == 32'(sending[s].beats);
    if (next_sent[s] == 32'(sending[s].beats)) is_sending[s] = 0;
  endtask

  // After a transfer, or where nothing was offered: the next beat, or a pause.
  task automatic offer(input int unsigned s);
    s_valid[s] <= 0;
    if (!is_sending[s] && (frames_begun < frames_wanted)) begin_frame(s);
    if (is_sending[s]) begin
      if (draw(100) < send_percent[s]) offer_beat(s);
      else pauses++;
    end
  endtask

  task automatic begin_reception(input int unsigned s);
    frame_t frame;
    int unsigned pair;
    frame = m_data[64 * s +: 64];
    receiving[s] = frame;
    if ((32'(frame.destination) != s / InternalPorts) || (32'(frame.source) >= Nodes)) begin
      $fatal(1, "stream %0d: a frame that is for another node: %p", s, frame);
    end
    if (is_outstanding.exists(frame[63:8]) == 0) begin
      $fatal(1, "stream %0d: a frame that is doubled or was not sent: %p", s, frame);
    end
    is_outstanding.delete(frame[63:8]);
    pair = 32'(frame.source) * Nodes + 32'(frame.destination);
    if (32'(frame.number) != received[pair]) out_of_order++;
    received[pair]++;
    if (IsOrdered && (out_of_order != 0)) begin
      $fatal(1, "stream %0d: frame %0d comes where %0d is next", s, frame.number,
             received[pair] - 1);
    end
  endtask

  task automatic receive(input int unsigned s);
    if (next_received[s] == 0) begin_reception(s);
    if ((m_data[64 * s +: 64] != data(receiving[s], next_received[s]))
        || (m_keep[8 * s +: 8] != keep(receiving[s], next_received[s]))
        || (m_id[AddressWidth * s +: AddressWidth] != address(32'(receiving[s].source)))
        || (m_user[UserWidth * s +: UserWidth] != (user(receiving[s], next_received[s])))) begin
      $fatal(1, "stream %0d: beat %0d of a frame was changed: %p", s, next_received[s],
             receiving[s]);
    end
    next_received[s]++;
    if (m_last[s] != (next_received[s] == 32'(receiving[s].beats))) begin
      $fatal(1, "stream %0d: a frame ends at the wrong beat: %p", s, receiving[s]);
    end
    if (m_last[s]) next_received[s] = 0;
    frames_received += 32'(m_last[s]);
    beats_received++;
    last_move = cycle;
  endtask

  // What waited must still be there, unchanged.
  task automatic check_handshake(input int unsigned s);
    if (was_stalled[s] && (!m_valid[s] || (m_last[s] != old_last[s])
        || (m_data[64 * s +: 64] != old_data[64 * s +: 64])
        || (m_keep[8 * s +: 8] != old_keep[8 * s +: 8])
        || (m_id[AddressWidth * s +: AddressWidth] != old_id[AddressWidth * s +: AddressWidth])
        || (m_user[UserWidth * s +: UserWidth] != old_user[UserWidth * s +: UserWidth]))) begin
      $fatal(1, "stream %0d: a beat was withdrawn or changed before it was taken", s);
    end
    was_stalled[s] = m_valid[s] && !m_ready[s];
  endtask

  task automatic serve(input int unsigned s);
    if (draw(200) == 0) send_percent[s] = 10 + 45 * draw(3);
    if (draw(200) == 0) ready_percent[s] = 10 + 45 * draw(3);
    check_handshake(s);
    if (m_valid[s] && m_ready[s]) receive(s);
    if (m_valid[s] && !m_ready[s]) stalls++;
    m_ready[s] <= draw(100) < ready_percent[s];
    if (!s_valid[s] || s_ready[s]) offer(s);
  endtask

  always @(posedge clk) begin
    if (rst_n) begin
      for (int unsigned s = 0; s < Streams; s++) serve(s);
      {old_last, old_data, old_keep, old_id, old_user} = {m_last, m_data, m_keep, m_id, m_user};
      cycle++;
      if (frames_received == frames_wanted) finish();
      if (cycle > last_move + StandstillCycles) begin
        $fatal(1, "nothing has moved for %0d cycles; %0d frames of %0d came", StandstillCycles,
               frames_received, frames_begun);
      end
    end
  end

  task automatic finish();
    if (is_outstanding.num() != 0) $fatal(1, "%0d frames are lost", is_outstanding.num());
    $display({"axis_mesh: %0d frames, %0d beats in %0d cycles, %0d pauses, %0d stalls: ",
              "none lost, none doubled, none changed, %0d out of order"},
             frames_received, beats_received, cycle, pauses, stalls, out_of_order);
    $finish;
  endtask

  initial begin
    if (!$value$plusargs("frames=%d", frames_wanted)) frames_wanted = 10000;
    if (frames_wanted < 1 || frames_wanted > 100_000_000)
      $fatal(1, "+frames must be a number in 1..100000000");
    if (!$value$plusargs("seed=%d", state)) state = 1;
    if (state < 1 || state > 2_147_483_647) $fatal(1, "+seed must be a number in 1..2147483647");
    $display("axis_mesh: seed %0d", state);
    clk = 0;
    rst_n = 0;
    {s_valid, m_ready, was_stalled} = '0;
    for (int unsigned s = 0; s < Streams; s++)
      {send_percent[s], ready_percent[s]} = {32'd100, 32'd100};
    #12 rst_n = 1;
  end

endmodule
