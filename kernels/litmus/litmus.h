/* What goes wrong without synchronisation: the experiments of `perdure litmus`, one a file. All have the same
 * arguments: counts for the result, words to play with, all zero. Every loop in them is bounded. */
#include "kernels/litmus/add_to_one_word.h"
#include "kernels/litmus/last_group_sum.h"
#include "kernels/litmus/message_passing.h"
#include "kernels/litmus/spin_lock_forms.h"
#include "kernels/litmus/spin_on_a_word.h"
#include "kernels/litmus/torn_store.h"
#include "kernels/litmus/warp_exchange.h"
