# SPDX-License-Identifier: Apache-2.0
# The CMake package: find_package(allport) gives allport::topology, ::tables, ::graphs, ::router, ::traffic, ::systemc, ::verilated, ::worm, ::tlm,
# ::processes, ::files, ::plan, ::deadlock, ::explain, ::network, ::network_flits, ::c and ::testbench. Headers keep their folders: #include "rtl_model/systemc/fabric.h".
include(CMakePackageConfigHelpers)

foreach(folder rtl_model/base rtl_model/topology rtl_model/tables rtl_model/graphs rtl_model/router rtl_model/systemc rtl_model/verilated traffic tlm testbench)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/allport/${folder}/.. COMPONENT development
          FILES_MATCHING PATTERN "*.h" PATTERN program EXCLUDE PATTERN programs EXCLUDE PATTERN studies EXCLUDE
          PATTERN python EXCLUDE)
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/allport)
install(EXPORT allport-targets NAMESPACE allport:: DESTINATION ${package_dir}
        COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/allport-config.cmake.in
  ${PROJECT_BINARY_DIR}/allport-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/allport-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/allport-config.cmake
              ${PROJECT_BINARY_DIR}/allport-config-version.cmake DESTINATION ${package_dir}
        COMPONENT development)

set(ALLPORT_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where the package for Python is installed")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/testbench/python/allport DESTINATION ${ALLPORT_PYTHON_DIR} COMPONENT python
        FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
if(TARGET allport_python)
  install(TARGETS allport_python LIBRARY DESTINATION ${ALLPORT_PYTHON_DIR}/allport COMPONENT python)
endif()

# What the program writes about itself, made when it is installed: manual pages, schemas, completion.
install(CODE "set(program \"$<TARGET_FILE:allport>\")
set(made \"${PROJECT_BINARY_DIR}/made\")
set(man_dir \"${CMAKE_INSTALL_MANDIR}\")
set(data_dir \"${CMAKE_INSTALL_DATADIR}\")
set(changelog \"${PROJECT_SOURCE_DIR}/CHANGELOG.md\")
set(doc_dir \"${CMAKE_INSTALL_DOCDIR}\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/made.cmake)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/cmake/copyright
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
        USE_SOURCE_PERMISSIONS PATTERN decisions EXCLUDE)
set(ALLPORT_SITE "" CACHE STRING "The site of the pages (scripts/site --playground), for the package allport-doc")
if(ALLPORT_SITE)
  install(DIRECTORY ${ALLPORT_SITE}/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/allport-doc/html COMPONENT doc)
endif()
# The other packages (package.cmake) have the copyright where Debian looks for it.
function(allport_copyright component package)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/copyright
          DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package} COMPONENT ${component})
endfunction()
allport_copyright(c_library liballport${ALLPORT_C_SOVERSION})
allport_copyright(c_development liballport-dev)
allport_copyright(development allport-dev)
allport_copyright(python python3-allport)
if(ALLPORT_SITE)
  allport_copyright(doc allport-doc)
endif()
