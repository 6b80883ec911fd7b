// Level 0: what all agree on
allport_pkg.sv
// Level 1: parts of units
allport_round_robin_arbiter.sv
allport_fifo.sv
allport_credit_counter.sv
allport_phit_counter.sv
allport_phit_timer.sv
allport_replication_delay.sv
allport_channel.sv
allport_crossing_register.sv
allport_checksum.sv
allport_head_register.sv
allport_message_room.sv
allport_message_store.sv
allport_path_routing.sv
allport_hypercube_routing.sv
allport_adaptive_routing.sv
allport_grid_routing.sv
allport_group_routing.sv
allport_float_sum.sv
allport_combine.sv
allport_label_routing.sv
allport_stripping_unit.sv
// Level 2: the units of a router
allport_input_buffer.sv
allport_routing_table.sv
allport_route_computation.sv
allport_reception_unit.sv
allport_ejection_unit.sv
allport_vc_allocator.sv
allport_switch_allocator.sv
allport_replication_unit.sv
allport_join_unit.sv
allport_single_branch.sv
allport_crossbar.sv
allport_acknowledgement_unit.sv
allport_retry_sender.sv
allport_retry_receiver.sv
// Level 3: the routers
allport_router_core.sv
allport_router.sv
allport_table_router.sv
allport_retry_router.sv
// Level 4: a fabric
allport_fabric.sv
