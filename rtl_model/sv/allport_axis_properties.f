// Bound to the units of allport_axis.f when assertions are wanted
allport_axis_injector_properties.sv
