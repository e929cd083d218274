// Processors and places: arrays that are too small, absent or of no size, places that do not exist, threads that are not bound. The
// argument says how many places there are.
#include "asker.h"

enum { MANY = 64, GUARD = -77 };

int main(int argc, char **argv) {
  int wanted = atoi(argv[1]);
  omp_get_max_threads();
  ompt_get_num_places_t num_places = ASK(ompt_get_num_places);
  ompt_get_place_proc_ids_t proc_ids = ASK(ompt_get_place_proc_ids);
  ompt_get_place_num_t place_num = ASK(ompt_get_place_num);
  ompt_get_partition_place_nums_t partition = ASK(ompt_get_partition_place_nums);
  ompt_get_proc_id_t proc_id = ASK(ompt_get_proc_id);
  ompt_get_num_procs_t num_procs = ASK(ompt_get_num_procs);
  expect_is(num_places(), wanted);
  expect_is(num_procs(), omp_get_num_procs());
  expect(proc_id() >= 0, proc_id());

  // The tool's initialiser has run on this thread, which has been in the same place since.
  int first[MANY], places = omp_get_partition_num_places();
  omp_get_partition_place_nums(first);
  expect_is(asker_first_place(), omp_get_place_num());
  expect_is(asker_first_partition(-1), places);
  for (int i = 0; i < places; i++)
    expect_is(asker_first_partition(i), first[i]);

  int ids[MANY];
  expect_is(proc_ids(-1, MANY, ids), 0);
  expect_is(proc_ids(wanted, MANY, ids), 0);
  for (int place = 0; place < wanted; place++) {
    int count = omp_get_place_num_procs(place), own[MANY];
    omp_get_place_proc_ids(place, own);
    expect_is(proc_ids(place, MANY, ids), count);
    for (int i = 0; i < count; i++)
      expect_is(ids[i], own[i]);
    ids[0] = GUARD;
    expect_is(proc_ids(place, 0, ids), count);
    expect_is(proc_ids(place, -5, ids), count);
    expect_is(proc_ids(place, MANY, NULL), count);
    expect_is(ids[0], GUARD);
  }

#pragma omp parallel num_threads(4)
  {
    int nums[MANY], own[MANY], count = omp_get_partition_num_places();
    expect_is(place_num(), omp_get_place_num());
    expect(wanted || place_num() == -1, place_num());
    omp_get_partition_place_nums(own);
    nums[count] = GUARD;
    expect_is(partition(MANY, nums), count);
    for (int i = 0; i < count; i++)
      expect_is(nums[i], own[i]);
    // Not one entry too many.
    expect_is(nums[count], GUARD);
    nums[0] = GUARD;
    expect_is(partition(0, nums), count);
    expect_is(partition(-1, nums), count);
    expect_is(partition(MANY, NULL), count);
    expect_is(nums[0], GUARD);
    if (count > 1) {
      nums[1] = GUARD;
      expect_is(partition(1, nums), count);
      expect_is(nums[0], own[0]);
      expect_is(nums[1], GUARD);
    }
#pragma omp barrier
    // A task has the partition of the implicit task that it is executed on, wherever it was generated.
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task
      {
        int here[MANY], first = -1;
        expect(partition(MANY, here) >= 0, 0);
        if (place_num() >= 0 && partition(MANY, here) > 0)
          first = here[0];
        expect(first < wanted, first);
      }
    }
  }
  return asker_verdict();
}
