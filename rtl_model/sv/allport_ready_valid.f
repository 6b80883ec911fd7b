// Adapters for routers with ready and valid, or with AXI4-Streams; behind allport.f
allport_to_ready_valid.sv
allport_from_ready_valid.sv
allport_to_axi_stream.sv
allport_from_axi_stream.sv
