# cmake -D AREA=... -D NAME=... -D SOURCE=sync -D DESTINATION=folder -P mutate.cmake: copies the headers of SOURCE to
# DESTINATION/sync with mutant NAME of AREA/mutants.cmake in them.
function(mutant name file text replacement outcome)
  if(NOT name STREQUAL NAME OR text STREQUAL "")
    return()
  endif()
  file(READ ${SOURCE}/${file} before)
  string(FIND "${before}" "${text}" first)
  string(FIND "${before}" "${text}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "mutant ${name}: this text must stand in sync/${file} exactly once: ${text}")
  endif()
  string(REPLACE "${text}" "${replacement}" after "${before}")
  file(WRITE ${DESTINATION}/sync/${file} "${after}")
endfunction()

file(GLOB sources ${SOURCE}/*.h ${SOURCE}/*.c)
file(COPY ${sources} DESTINATION ${DESTINATION}/sync)
include(${CMAKE_CURRENT_LIST_DIR}/${AREA}/mutants.cmake)
