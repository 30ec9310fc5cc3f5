# cmake -DROOT=... "-DFILES=a.yaml;b.yaml" -DHEADER=x.hpp -DTYPE=Example -DFUNCTION=example_files -DOUTPUT=x.cpp -P embed_files.cmake: writes
# the files as strings. HEADER declares TYPE, of a path and a text, and `const std::vector<TYPE> &FUNCTION()` in namespace perdure.
set(text "#include \"${HEADER}\"\n\nnamespace perdure {\n\n")
string(APPEND text "const std::vector<${TYPE}> &${FUNCTION}() {\n    static const std::vector<${TYPE}> files{\n")
foreach(file IN LISTS FILES)
  file(READ "${ROOT}/${file}" content)
  string(APPEND text "{\"${file}\", R\"perdure(${content})perdure\"},\n")
endforeach()
string(APPEND text "    };\n    return files;\n}\n\n}  // namespace perdure\n")
file(WRITE "${OUTPUT}" "${text}")
