// Adapters for routers with ready and valid; behind allport.f
allport_to_ready_valid.sv
allport_from_ready_valid.sv
