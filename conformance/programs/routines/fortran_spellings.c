// The routines under the names by which Fortran calls them: arguments by reference, of 4 and of 8 bytes.
// OpenMP 5.1, 3
//@ compilers: gcc
//@ needs: gcc 11
#include "check.h"
#include <stdint.h>

void omp_set_num_threads_(const int32_t *), omp_set_num_threads_8_(const int64_t *);
void omp_set_dynamic_(const int32_t *), omp_set_dynamic_8_(const int64_t *);
void omp_set_max_active_levels_(const int32_t *), omp_set_max_active_levels_8_(const int64_t *);
void omp_set_schedule_(const int32_t *, const int32_t *), omp_set_schedule_8_(const int32_t *, const int64_t *);
void omp_get_schedule_(int32_t *, int32_t *), omp_get_schedule_8_(int32_t *, int64_t *);
void omp_set_default_device_(const int32_t *), omp_set_default_device_8_(const int64_t *);
int32_t omp_get_max_threads_(void), omp_get_dynamic_(void), omp_get_max_active_levels_(void), omp_get_default_device_(void);
int32_t omp_get_ancestor_thread_num_(const int32_t *), omp_get_ancestor_thread_num_8_(const int64_t *);
int32_t omp_get_team_size_(const int32_t *), omp_get_team_size_8_(const int64_t *);
int32_t omp_get_supported_active_levels_(void), omp_get_device_num_(void), omp_get_num_procs_(void), omp_in_final_(void);
int32_t omp_pause_resource_(const int32_t *, const int32_t *), omp_pause_resource_all_(const int32_t *);

int main(void) {
    int32_t four = 4, yes = 1, one = 1, zero = 0, kind = 2, chunk = 6;
    int64_t eight = 8, no = 0, two = 2, large = 12;
    omp_set_num_threads_(&four);
    CHECK_EQ(omp_get_max_threads_(), 4);
    omp_set_num_threads_8_(&eight);
    CHECK_EQ(omp_get_max_threads_(), 8);
    omp_set_dynamic_(&yes);
    CHECK_EQ(omp_get_dynamic_(), 1);
    omp_set_dynamic_8_(&no);
    CHECK_EQ(omp_get_dynamic_(), 0);
    omp_set_max_active_levels_(&one);
    CHECK_EQ(omp_get_max_active_levels_(), 1);
    omp_set_max_active_levels_8_(&two);
    CHECK_EQ(omp_get_max_active_levels_(), 2);
    omp_set_schedule_(&kind, &chunk);
    int32_t got_kind = 0, got_chunk = 0;
    int64_t got_large = 0;
    omp_get_schedule_(&got_kind, &got_chunk);
    CHECK_EQ(got_kind, 2);
    CHECK_EQ(got_chunk, 6);
    omp_set_schedule_8_(&kind, &large);
    omp_get_schedule_8_(&got_kind, &got_large);
    CHECK_EQ(got_large, 12);
    omp_set_default_device_(&one);
    CHECK_EQ(omp_get_default_device_(), 1);
    omp_set_default_device_8_(&two);
    CHECK_EQ(omp_get_default_device_(), 2);
    CHECK(omp_get_supported_active_levels_() > 0, "none");
    CHECK_EQ(omp_get_device_num_(), 0);
    CHECK(omp_get_num_procs_() > 0, "none");
    CHECK_EQ(omp_in_final_(), 0);
#pragma omp parallel num_threads(3)
    {
        int32_t level = 1;
        int64_t wide = 1;
        CHECK_EQ(omp_get_ancestor_thread_num_(&level), omp_get_thread_num());
        CHECK_EQ(omp_get_ancestor_thread_num_8_(&wide), omp_get_thread_num());
        CHECK_EQ(omp_get_team_size_(&level), 3);
        CHECK_EQ(omp_get_team_size_8_(&wide), 3);
    }
    CHECK_EQ(omp_pause_resource_(&one, &zero), 0);
    CHECK_EQ(omp_pause_resource_all_(&one), 0);
    return verdict();
}
