// A profiling library: counts constructs.
#include <acc_prof.h>

int proflib_activations, proflib_constructs;

static void activation(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) { proflib_activations += event->other_event.implicit; }
static void construct(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) { proflib_constructs++; }

void acc_register_library(acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func lookup) {
    reg(acc_ev_device_init_start, activation, acc_reg);
    reg(acc_ev_compute_construct_end, construct, acc_reg);
    reg(acc_ev_compute_construct_start, construct, acc_reg);
    unreg(acc_ev_compute_construct_start, construct, acc_reg);
    if (lookup("nothing")) proflib_constructs = -1000;
}
