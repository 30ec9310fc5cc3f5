/* The fields of kernels/heat_subdomain.h. */
#ifndef PERDURE_KERNELS_HEAT_SUBDOMAIN_FIELDS_H
#define PERDURE_KERNELS_HEAT_SUBDOMAIN_FIELDS_H

#include "kernels/heat_fields.h"

#define HEAT_SUBDOMAIN_FIELDS(F)       \
    HEAT_SEGMENTED_FIELDS(F)           \
    F(real_t, inboxes, CHANGED, GIVEN) \
    F(uint32, step_flags, CHANGED, GIVEN)

#endif
