# NOTICES: the licences of all that is compiled or copied into the wheel, as Debian's packages have them.
set(notices ${CMAKE_CURRENT_BINARY_DIR}/NOTICES)
file(WRITE ${notices} "Parts of other projects in this package, with their licences.\n")
set(line "================================================================")
function(add_notice name file elsewhere)
  if(EXISTS "${file}")
    file(READ "${file}" text)
  else()
    set(text "${elsewhere}\n")
  endif()
  file(APPEND ${notices} "\n${line}\n${name}\n${line}\n${text}")
endfunction()

foreach(part
    "HDF5|libhdf5-dev|BSD-3-Clause, https://github.com/HDFGroup/hdf5/blob/develop/LICENSE"
    "libaec, with its szip interface|libaec-dev|BSD-2-Clause, https://gitlab.dkrz.de/k202009/libaec"
    "zlib|zlib1g-dev|Zlib, https://zlib.net/zlib_license.html"
    "libdeflate|libdeflate-dev|MIT, https://github.com/ebiggers/libdeflate"
    "yaml-cpp|libyaml-cpp-dev|MIT, https://github.com/jbeder/yaml-cpp"
    "fmt|libfmt-dev|MIT, https://github.com/fmtlib/fmt"
    "muParser|libmuparser-dev|BSD-2-Clause, https://github.com/beltoforion/muparser"
    "Eigen|libeigen3-dev|MPL-2.0, https://gitlab.com/libeigen/eigen"
    "JSON for Modern C++|nlohmann-json3-dev|MIT, https://github.com/nlohmann/json"
    "xxHash|libxxhash-dev|BSD-2-Clause, https://github.com/Cyan4973/xxHash")
  string(REPLACE "|" ";" part "${part}")
  list(GET part 0 name)
  list(GET part 1 package)
  list(GET part 2 elsewhere)
  add_notice("${name}" /usr/share/doc/${package}/copyright "${elsewhere}")
endforeach()
file(GLOB licence ${nanobind_ROOT}/../../nanobind-*.dist-info/licenses/LICENSE)
add_notice("nanobind" "${licence}" "BSD-3-Clause, https://github.com/wjakob/nanobind; in it robin-map, MIT, https://github.com/Tessil/robin-map")
if(TARGET perdure_cuda)
  add_notice("NVIDIA CUDA Runtime (libcudart_static)" "" "Redistributable under the CUDA Toolkit End User License Agreement, https://docs.nvidia.com/cuda/eula")
endif()
install(FILES ${notices} ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION perdure COMPONENT python EXCLUDE_FROM_ALL)
