// AXI4-Stream network interfaces; behind allport.f
allport_axis_injector.sv
allport_axis_ejector.sv
allport_axis_interface.sv
allport_axis_router.sv
allport_axis_fabric.sv
