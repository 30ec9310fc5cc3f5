/* real_t, the type of the fields: double where nobody has said it, as when a header is compiled or opened alone. */
#ifndef real_t
#define real_t double
#endif
