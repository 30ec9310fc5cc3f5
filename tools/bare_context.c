// What a CUDA program needs at least: opens the driver and the context of a device, allocates, exits. Exit code 77: no device.
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

typedef int (*init_t)(unsigned flags);
typedef int (*device_t)(int *device, int ordinal);
typedef int (*retain_t)(void **context, int device);
typedef int (*current_t)(void *context);
typedef int (*allocate_t)(unsigned long long *address, size_t bytes);

int main(void) {
    enum { no_device = 77, bytes = 64 << 20 };
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == NULL) {
        return no_device;
    }
    int device = 0;
    void *context = NULL;
    unsigned long long address = 0;
    if (((init_t)dlsym(driver, "cuInit"))(0) != 0 ||
        ((device_t)dlsym(driver, "cuDeviceGet"))(&device, 0) != 0) {
        return no_device;
    }
    if (((retain_t)dlsym(driver, "cuDevicePrimaryCtxRetain"))(&context, device) != 0 ||
        ((current_t)dlsym(driver, "cuCtxSetCurrent"))(context) != 0 ||
        ((allocate_t)dlsym(driver, "cuMemAlloc_v2"))(&address, bytes) != 0) {
        fprintf(stderr, "the CUDA device gives no context or no memory\n");
        return 1;
    }
    return 0;
}
