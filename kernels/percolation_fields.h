/* The fields of kernels/percolation.h. */
#ifndef PERDURE_KERNELS_PERCOLATION_FIELDS_H
#define PERDURE_KERNELS_PERCOLATION_FIELDS_H

#include "kernels/fields.h"

#define PERCOLATION_FIELDS(F)                   \
    F(percolation_pass_t, passes, INPUT, GIVEN) \
    F(unsigned char, material, INPUT, GIVEN)    \
    F(uint32, parent, SCRATCH, GIVEN)           \
    F(uint32, reach, SCRATCH, GIVEN)            \
    F(unsigned char, faces, SCRATCH, GIVEN)     \
    F(uint32, found, SCRATCH, GIVEN)

#endif
