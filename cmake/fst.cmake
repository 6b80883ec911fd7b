# SPDX-License-Identifier: Apache-2.0
# allport_fst: GTKWave's writer for FST wave files, compiled from the copy that Verilator installs.
find_package(ZLIB REQUIRED)
find_path(ALLPORT_FST_DIR fstapi.h
  HINTS $ENV{VERILATOR_ROOT}/include/gtkwave
  PATHS /usr/share/verilator/include/gtkwave /usr/local/share/verilator/include/gtkwave
  DOC "Folder with fstapi.c, fastlz.c and lz4.c (include/gtkwave of Verilator)")

foreach(source fstapi.c fastlz.c lz4.c)
  if(NOT EXISTS ${ALLPORT_FST_DIR}/${source})
    message(FATAL_ERROR
      "FST waves need ${source}, which Verilator installs in its include/gtkwave folder: "
      "install the package `verilator`, or set -DALLPORT_FST_DIR=<folder with fstapi.c>.")
  endif()
endforeach()

add_library(allport_fst STATIC
  ${ALLPORT_FST_DIR}/fstapi.c
  ${ALLPORT_FST_DIR}/fastlz.c
  ${ALLPORT_FST_DIR}/lz4.c
  ${PROJECT_SOURCE_DIR}/testbench/observe/waves/fst_io.cpp)
set_target_properties(allport_fst PROPERTIES EXPORT_NAME fst)
target_include_directories(allport_fst SYSTEM PUBLIC $<BUILD_INTERFACE:${ALLPORT_FST_DIR}>)
target_include_directories(allport_fst PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(allport_fst PRIVATE FST_CONFIG_INCLUDE="testbench/observe/waves/fst_io.h")
target_compile_options(allport_fst PRIVATE $<$<COMPILE_LANGUAGE:C>:-w>)
if(CMAKE_C_FLAGS MATCHES "-fsanitize=.*undefined")
  # GTKWave's writer stores words where they are not aligned, and shifts negative numbers.
  target_compile_options(allport_fst PRIVATE $<$<COMPILE_LANGUAGE:C>:-fno-sanitize=undefined>)
endif()
target_link_libraries(allport_fst PRIVATE ZLIB::ZLIB)
install(TARGETS allport_fst EXPORT allport-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT development)
