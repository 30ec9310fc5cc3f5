# Parts of the program that an option has built, AUTO (where what they need is found), ON (it must be there) or OFF.

# The option of a component. Any other value is refused.
function(perdure_add_component_option option component)
  set(${option} AUTO CACHE STRING "${component}: AUTO, ON or OFF")
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
  if(NOT ${option} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "${option} is '${${option}}'; it must be AUTO, ON or OFF")
  endif()
endfunction()

# Says that the component is left out, and why; where the option is ON that is an error.
function(perdure_report_left_out component option missing)
  if(${option} STREQUAL ON)
    message(FATAL_ERROR "${component}: ${missing}")
  endif()
  message(STATUS "${component}: left out (${missing})")
endfunction()
