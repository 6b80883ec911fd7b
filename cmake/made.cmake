# SPDX-License-Identifier: Apache-2.0
# Run at the installation: lets the program write its manual pages, schemas and completions, and
# installs them. Needs program, made (a folder to write in), man_dir, data_dir, doc_dir, changelog.
function(write_output file)
  execute_process(COMMAND ${program} ${ARGN} OUTPUT_FILE ${made}/${file} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${program} ${ARGN}: status ${result}")
  endif()
endfunction()

# As Debian wants it; the same bytes at any time.
function(compress file)
  find_program(GZIP gzip REQUIRED)
  execute_process(COMMAND ${GZIP} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# into(FOLDER FILES...): below the prefix
function(into folder)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  file(INSTALL ${ARGN} DESTINATION "${folder}")
endfunction()

file(REMOVE_RECURSE ${made})
file(MAKE_DIRECTORY ${made})
write_output(allport.1 man)
file(READ ${made}/allport.1 page)
string(REGEX MATCHALL "fBallport[\\]-[a-z]+" names "${page}")
list(TRANSFORM names REPLACE "fBallport[\\]-" "")
foreach(name IN LISTS names)
  write_output(allport-${name}.1 man ${name})
endforeach()
file(GLOB pages ${made}/*.1)
foreach(page IN LISTS pages)
  compress(${page})
endforeach()
file(GLOB pages ${made}/*.1.gz)
into(${man_dir}/man1 ${pages})

execute_process(COMMAND ${program} schema --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n  [a-z]+  +[a-z]" lines "${help}")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "\n  ([a-z]+) .*" "\\1" name "${line}")
  write_output(${name}.schema.json schema ${name})
endforeach()
file(GLOB schemas ${made}/*.schema.json)
into(${data_dir}/allport/schemas ${schemas})

write_output(allport completion bash)
into(${data_dir}/bash-completion/completions ${made}/allport)
write_output(_allport completion zsh)
into(${data_dir}/zsh/vendor-completions ${made}/_allport)

configure_file(${changelog} ${made}/changelog COPYONLY)
compress(${made}/changelog)
into(${doc_dir} ${made}/changelog.gz)
