# SPDX-License-Identifier: Apache-2.0
# Installs the built project into a folder of its own, then configures, builds and runs the consumer
# and the examples.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
set(examples foreign_node host library own_node power_method programs server standalone_router)
list(TRANSFORM examples PREPEND ${EXAMPLES_DIR}/)
list(APPEND examples ${EXAMPLES_DIR}/c_client ${EXAMPLES_DIR}/gpgpu_sim)
set(ENV{PKG_CONFIG_PATH} "${WORK_DIR}/prefix/${LIBDIR}/pkgconfig:$ENV{PKG_CONFIG_PATH}")
foreach(project ${CONSUMER_DIR} ${examples})
  get_filename_component(name ${project} NAME)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${project} -B ${WORK_DIR}/${name}
      -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/${name})
  run(${WORK_DIR}/${name}/${name})
endforeach()
run(${WORK_DIR}/prefix/bin/allport --version)
# The testbench in SystemVerilog finds what it includes; Examples.systemverilog_testbench runs it.
run(sh -ec "cd \"$0\" && header=$(pkg-config --variable=includedir allport)/allport_network.svh &&
    verilator --lint-only --timing --top-module testbench \"$header\" blocks.sv fabric.sv testbench.sv"
    ${EXAMPLES_DIR}/systemverilog_testbench)
