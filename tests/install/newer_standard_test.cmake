# SPDX-License-Identifier: Apache-2.0
# Targets in C++20 fail with the reason, before they are linked; one that keeps to C++17 is built.
function(require_text output text)
  string(REGEX REPLACE "[ \n]+" " " flat "${output}")
  string(FIND "${flat}" "${text}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "'${text}' is not in:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
execute_process(
  COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${PROJECT_DIR} -B ${WORK_DIR}
          -D CMAKE_PREFIX_PATH=${PREFIX} "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${output}")
endif()
require_text("${output}" "allport: CMAKE_CXX_STANDARD is 20, but targets that use allport with SystemC must have CXX_STANDARD 17")

foreach(target by_feature by_variable)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR} --target ${target}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result EQUAL 0)
    message(FATAL_ERROR "${target} was built")
  endif()
  require_text("${output}" "allport needs C++17 here, as SystemC was built with it: set CXX_STANDARD 17 for this target")
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR} --target of_its_own
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${output}")
endif()
