# SPDX-License-Identifier: Apache-2.0
# The CMake package: find_package(allport) gives allport::topology, ::traffic, ::systemc, ::verilated, ::tlm,
# ::processes, ::files and ::testbench. Headers keep their folders: #include "rtl_model/systemc/fabric.h".
include(CMakePackageConfigHelpers)

foreach(folder rtl_model/base rtl_model/topology rtl_model/systemc rtl_model/verilated traffic tlm testbench)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/allport/${folder}/..
          FILES_MATCHING PATTERN "*.h" PATTERN program EXCLUDE PATTERN sweep EXCLUDE)
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/allport)
install(EXPORT allport-targets NAMESPACE allport:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/allport-config.cmake.in
  ${PROJECT_BINARY_DIR}/allport-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/allport-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/allport-config.cmake
              ${PROJECT_BINARY_DIR}/allport-config-version.cmake DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
