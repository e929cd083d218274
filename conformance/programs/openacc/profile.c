// The profiling interface: callbacks hear of constructs on the host, in the order of their registration at the begin of an event and in
// the reverse one at its end; the end has what the begin left. OpenACC 2.6, chapter 5
//@ compilers: gcc
//@ needs: gcc 10
//@ flags: -fopenacc
//@ threads: 1 3
#include "check.h"
#include <acc_prof.h>
#include <string.h>

static char log_text[4096];
static acc_construct_t constructs[32];
static int count, implicits;

static void note(char who, acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
    char text[8];
    snprintf(text, sizeof text, "%c%d ", who, prof->event_type);
    strcat(log_text, text);
    CHECK_EQ(event->event_type, prof->event_type);
    CHECK_EQ(prof->version, 201711);
    CHECK_EQ(prof->device_type, acc_device_host);
    CHECK_EQ(prof->device_number, 0);
    CHECK_EQ(prof->valid_bytes, 72);
    CHECK_EQ(event->other_event.valid_bytes, 24);
    CHECK_EQ(api->valid_bytes, 40);
    CHECK_EQ(api->device_api, acc_device_api_none);
    CHECK_EQ(api->device_type, acc_device_host);
    CHECK_EQ(prof->line_no, -1);
    constructs[count++ % 32] = event->other_event.parent_construct;
    implicits += event->other_event.implicit;
}
static void first(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
    note('a', prof, event, api);
    event->other_event.tool_info = &log_text[prof->event_type];
}
static void second(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
    note('b', prof, event, api);
    CHECK_EQ(prof->async, event->event_type == acc_ev_enter_data_start ? 3 : acc_async_sync);
}
static void at_end(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
    note('e', prof, event, api);
    CHECK(event->other_event.tool_info == &log_text[prof->event_type - 1], "not what the begin has left");
}
static void at_end_too(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) { note('f', prof, event, api); }

static int heard(const char *what) {
    int same = !strcmp(log_text, what);
    if (!same) printf("heard: %s\n", log_text);
    log_text[0] = 0;
    count = 0;
    return same;
}

int main(void) {
    int x = 0;
    acc_init(acc_device_host);
    acc_prof_register(acc_ev_compute_construct_start, first, acc_reg);
    acc_prof_register(acc_ev_compute_construct_start, second, acc_reg);
    acc_prof_register(acc_ev_compute_construct_end, at_end, acc_reg);
    acc_prof_register(acc_ev_compute_construct_end, at_end_too, acc_reg);
    acc_prof_register(acc_ev_enter_data_start, second, acc_reg);
    acc_prof_register(acc_ev_update_end, at_end_too, acc_reg);
    acc_prof_register(acc_ev_exit_data_end, at_end_too, acc_reg);
    acc_prof_register((acc_event_t)99, first, acc_reg);
#pragma acc parallel copy(x)
    x++;
    CHECK(heard("a16 b16 f17 e17 "), "a compute construct");
    CHECK_EQ(constructs[0], acc_construct_parallel);
#pragma acc enter data copyin(x) async(3)
    CHECK(heard("b10 "), "enter data");
    CHECK_EQ(constructs[0], acc_construct_enter_data);
#pragma acc update self(x)
    CHECK(heard("f15 "), "update");
    CHECK_EQ(constructs[0], acc_construct_update);
#pragma acc exit data delete (x)
    CHECK(heard("f13 "), "exit data");
    CHECK_EQ(constructs[0], acc_construct_exit_data);
    acc_prof_register(acc_ev_compute_construct_start, second, acc_reg);
    acc_prof_unregister(acc_ev_compute_construct_start, second, acc_reg);
    acc_prof_unregister(acc_ev_compute_construct_end, at_end, acc_reg);
#pragma acc parallel copy(x)
    x++;
    CHECK(heard("a16 b16 f17 "), "a callback registered twice and taken back once");
    acc_prof_unregister(acc_ev_compute_construct_start, first, acc_toggle);
#pragma acc parallel copy(x)
    x++;
    CHECK(heard("b16 f17 "), "a callback is disabled");
    acc_prof_register(acc_ev_compute_construct_start, first, acc_toggle);
    acc_prof_unregister(acc_ev_compute_construct_end, NULL, acc_toggle);
#pragma acc parallel copy(x)
    x++;
    CHECK(heard("a16 b16 "), "an event is disabled");
    acc_prof_unregister(acc_ev_none, NULL, acc_toggle_per_thread);
#pragma acc parallel copy(x)
    x++;
    acc_prof_register(acc_ev_none, NULL, acc_toggle_per_thread);
    acc_prof_unregister(acc_ev_none, NULL, acc_toggle);
#pragma acc parallel copy(x)
    x++;
    CHECK(heard(""), "all events are disabled");
    acc_prof_register(acc_ev_none, NULL, acc_toggle);
    CHECK_EQ(implicits, 0);
    CHECK_EQ(x, 6);
    CHECK(acc_prof_lookup("acc_prof_register") == NULL, "more than the interface");
#pragma omp parallel
    CHECK(omp_get_num_threads() > 0, "no team");
    return verdict();
}
