# cmake -DROOT=... "-DFILES=a.h;b.h" -DOUTPUT=x.cpp -P embed_sources.cmake: writes the files as strings, see kernel_sources.hpp.
set(text "#include \"solver/backends/kernel_sources.hpp\"\n\nnamespace perdure {\n\n")
string(APPEND text "const std::vector<KernelSource> &kernel_sources() {\n    static const std::vector<KernelSource> sources{\n")
foreach(file IN LISTS FILES)
  file(READ "${ROOT}/${file}" content)
  string(APPEND text "{\"${file}\", R\"perdure(${content})perdure\"},\n")
endforeach()
string(APPEND text "    };\n    return sources;\n}\n\n}  // namespace perdure\n")
file(WRITE "${OUTPUT}" "${text}")
