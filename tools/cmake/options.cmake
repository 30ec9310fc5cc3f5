# One language level, one warning level and one floating-point rule for the whole tree.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# ccache keeps no object that was compiled with precompiled headers.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# For the Python package, a shared object. Programs are compiled so, too: they use headers that were precompiled for libraries. Nobody
# outside calls what is in a library here: hidden, it is optimised as in a program.
if(NOT PERDURE_PYTHON STREQUAL OFF AND NOT PERDURE_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fPIC> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fPIC>)
  set(hidden $<$<COMPILE_LANGUAGE:C,CXX>:-fvisibility=hidden> $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
endif()

# Whoever installs the Python package cannot mend what a later compiler warns of.
if(PERDURE_PYTHON_ALONE)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-w>)
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)

# In a unity build, names of one file are hidden by those of another.
set(shadow -Wshadow)
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  set(shadow "")
elseif(CMAKE_UNITY_BUILD)
  set(shadow $<IF:$<COMPILE_LANGUAGE:C>,-Wshadow,-Wshadow=local>)
endif()

# gcc collects its garbage from 1 GB on, which most files do not reach: a tenth of the time of compiling, for some 150 MB more.
add_compile_options($<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<CXX_COMPILER_ID:GNU>>:--param=ggc-min-heapsize=1000000>)

add_library(perdure_options INTERFACE)
target_include_directories(perdure_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(perdure_options INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic;-Werror;${shadow};-Wconversion;-Wno-sign-conversion;-ffp-contract=off>)
target_compile_options(perdure_options INTERFACE ${hidden})
# gcc 12 sees overlapping copies in std::string operator+ where there are none (gcc bug 105651).
target_compile_options(perdure_options INTERFACE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>)
# fmt optimises itself where nothing else is; gcc 12 then takes all that includes its precompiled headers for optimised.
set(fmt_without_pragma "SHELL:\"-DFMT_GCC_PRAGMA(pragma)=\"")
if(PERDURE_SANITIZE)
  target_compile_options(perdure_options INTERFACE
    $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${PERDURE_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>)
  target_link_options(perdure_options INTERFACE -fsanitize=${PERDURE_SANITIZE})
  target_compile_definitions(perdure_options INTERFACE PERDURE_SANITIZED)
  target_compile_options(perdure_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${fmt_without_pragma}>)
endif()

# The runtime is a library of its own: stacks then name the module of each frame without a symbolizer, and tools/fuzz can tell
# faults inside libhdf5 from ours.
if(PERDURE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang OR NOT PERDURE_SANITIZE STREQUAL "address,undefined")
    message(FATAL_ERROR "The fuzz targets need clang with libFuzzer: cmake --preset fuzz (packages: tools/install_packages test)")
  endif()
  target_compile_options(perdure_options INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize=vptr)
  add_link_options(-fno-sanitize=vptr -shared-libasan -Wl,--enable-new-dtags)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.asan-x86_64.so
    OUTPUT_VARIABLE sanitizer_runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(sanitizer_folder ${sanitizer_runtime} DIRECTORY)
  set(CMAKE_BUILD_RPATH "$ORIGIN/lib" ${sanitizer_folder})
  if(PERDURE_FUZZ_COVERAGE)
    add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
    add_link_options(-fprofile-instr-generate)
  endif()
endif()
