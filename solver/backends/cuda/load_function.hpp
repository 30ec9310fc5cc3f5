// Functions of libraries that are loaded when a run needs them.
#pragma once

#include <dlfcn.h>

namespace perdure::cuda {

/// Whether the library, of dlopen(), has the function.
template <typename Function>
bool load_function(void *library, const char *name, Function &function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

}  // namespace perdure::cuda
