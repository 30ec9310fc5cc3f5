/* The memory that a kernel works on, declared once for kernel and host.
 *
 * NAME_FIELDS(F) of kernels/NAME_fields.h calls F(type, name, role, size) for each field of kernel NAME, in the order of
 * its arguments. From it follow the kernel's arguments, the members and the initial values of its structure, and on the
 * host (solver/methods/kernel_fields.hpp) the buffers, where the answer stands, and the estimate of the memory that a run needs.
 *
 * role   INPUT            filled by the host and read
 *        UNALIASED        the same, and no other argument leads to it (kernels/resident/resident_fields.h)
 *        CHANGED          filled by the host and changed
 *        SCRATCH          begins with zeros
 *        SCRATCH_COPIES   two of these; a phase reads one and writes the other
 *        ANSWER           begins with the initial values and ends with the answer; of a problem with several fields there is
 *                         one for each, in the order of the problem's fields
 *        ANSWER_COPIES    two of these; the first begins with the initial values, and the state's parity says which
 *                         holds the answer
 *
 * size   CELLS            a real_t for each cell
 *        CELLS_IF_VARIED  the same; nothing where coefficients are uniform
 *        COEFFICIENT      the same; a table or one value where they are uniform
 *        COEFFICIENT_3D   one value in 2D as well
 *        CONVECTIVE       a COEFFICIENT that a problem with a velocity alone has
 *        CONVECTIVE_3D    one value in 2D as well
 *        FIELDS           a real_t for each cell of each field of the problem, [fields][cells]: all answers are in it
 *        STAGES           the same where a step keeps rates, else nothing
 *        RATES            the same for each of the rates of a field that a step keeps, [rates][fields][cells]
 *        BYTES            a byte for each cell
 *        GIVEN            what the host gives
 *
 * What the host makes of a field's terms has the same name in every kernel: diagonal, inverse_diagonal, face_x .., b of the
 * problem's first field, and NAME_diagonal, NAME_b .. of its field NAME. */
#ifndef PERDURE_KERNELS_FIELDS_H
#define PERDURE_KERNELS_FIELDS_H

#define FIELD_ARGUMENT(type, name, role, size) FIELD_ARGUMENT_##role(type, name)
#define FIELD_ARGUMENT_INPUT(type, name) , GLOBAL const type *name
#define FIELD_ARGUMENT_CHANGED(type, name) , GLOBAL type *name
#define FIELD_ARGUMENT_SCRATCH(type, name) , GLOBAL type *name
#define FIELD_ARGUMENT_ANSWER(type, name) , GLOBAL type *name
#define FIELD_ARGUMENT_SCRATCH_COPIES(type, name) , GLOBAL type *name##_even, GLOBAL type *name##_odd
#define FIELD_ARGUMENT_ANSWER_COPIES(type, name) , GLOBAL type *name##_even, GLOBAL type *name##_odd

#define FIELD_MEMBER(type, name, role, size) FIELD_MEMBER_##role(type, name)
#define FIELD_MEMBER_INPUT(type, name) GLOBAL const type *name;
#define FIELD_MEMBER_CHANGED(type, name) GLOBAL type *name;
#define FIELD_MEMBER_SCRATCH(type, name) GLOBAL type *name;
#define FIELD_MEMBER_ANSWER(type, name) GLOBAL type *name;
#define FIELD_MEMBER_SCRATCH_COPIES(type, name) GLOBAL type *name[2];
#define FIELD_MEMBER_ANSWER_COPIES(type, name) GLOBAL type *name[2];

#define FIELD_VALUE(type, name, role, size) FIELD_VALUE_##role(name)
#define FIELD_VALUE_INPUT(name) name,
#define FIELD_VALUE_CHANGED(name) name,
#define FIELD_VALUE_SCRATCH(name) name,
#define FIELD_VALUE_ANSWER(name) name,
#define FIELD_VALUE_SCRATCH_COPIES(name) {name##_even, name##_odd},
#define FIELD_VALUE_ANSWER_COPIES(name) {name##_even, name##_odd},

/* What every kernel of phases has. */
#define PREPARATION_FIELDS(F)             \
    F(control_t, control, SCRATCH, GIVEN) \
    F(grid_sync_t, sync, SCRATCH, GIVEN)  \
    F(run_state_t, state, CHANGED, GIVEN) \
    F(sum_t, partials, SCRATCH, GIVEN)

/* What a kernel of iterations or steps has besides: [history_capacity][3]: iteration, norm, device time. */
#define RUN_FIELDS(F)     \
    PREPARATION_FIELDS(F) \
    F(double, history, SCRATCH, GIVEN)

/* What a kernel of steps has that goes along the table of segments by itself: kernels/snapshot_ring.h. */
#define SEGMENT_FIELDS(F)                \
    F(segment_t, segments, INPUT, GIVEN) \
    F(real_t, ring, SCRATCH, GIVEN)
/* And where the run alone knows when a segment ends. */
#define MARKED_SEGMENT_FIELDS(F) \
    SEGMENT_FIELDS(F)            \
    F(run_state_t, marks, SCRATCH, GIVEN)

/* The operator: kernels/operator.h. */
#define OPERATOR_FIELDS_IN_ROLE(F, role)           \
    F(real_t, diagonal, role, COEFFICIENT)         \
    F(real_t, inverse_diagonal, role, COEFFICIENT) \
    F(real_t, face_x, role, COEFFICIENT)           \
    F(real_t, face_y, role, COEFFICIENT)           \
    F(real_t, face_z, role, COEFFICIENT_3D)
#define OPERATOR_FIELDS(F) OPERATOR_FIELDS_IN_ROLE(F, INPUT)
#define ACROSS_FIELDS(F)                   \
    F(real_t, across_x, INPUT, CONVECTIVE) \
    F(real_t, across_y, INPUT, CONVECTIVE) \
    F(real_t, across_z, INPUT, CONVECTIVE_3D)

#define KERNEL_ARGUMENTS(FIELDS) PARAMETERS parameters RUN_FIELDS(FIELD_ARGUMENT) FIELDS(FIELD_ARGUMENT)
#define PREPARATION_ARGUMENTS(FIELDS) \
    PARAMETERS parameters PREPARATION_FIELDS(FIELD_ARGUMENT) FIELDS(FIELD_ARGUMENT)

/* run_t of a kernel that has KERNEL_ARGUMENTS or PREPARATION_ARGUMENTS and the verdict of its group. */
#define RUN_VALUES(lanes) \
    { &parameters, control, sync, state, partials, history, lanes, &verdict }
#define PREPARATION_VALUES \
    { &parameters, control, sync, state, partials, 0, 0, &verdict }

#endif
