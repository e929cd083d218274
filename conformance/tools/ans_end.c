// The tool is ended from wherever the argument says; OpenMP goes on without it, and what it may still ask is answered.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "asker.h"

static ompt_finalize_tool_t end;
static int from_callback;

static void *foreign(void *unused) {
  end();
  return NULL;
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, uint64_t count,
                    const void *code) {
  if (from_callback)
    end();
}

static void ask_afterwards(void) {
  ompt_wait_id_t wait;
  expect_is(asker_finalised(), 1);
  expect_is(ASK(ompt_get_task_info)(0, NULL, NULL, NULL, NULL, NULL), 0);
  expect_is(ASK(ompt_get_parallel_info)(0, NULL, NULL), 0);
  size_t size = 1;
  expect_is(ASK(ompt_get_task_memory)(NULL, &size, 0), 0);
  expect_is(size, 0);
  ASK(ompt_get_state)(&wait);
  ASK(ompt_get_thread_data)();
  expect(ASK(ompt_get_unique_id)() != 0, 0);
  expect_is(ASK(ompt_get_partition_place_nums)(0, NULL), 0);
  ompt_callback_t callback;
  expect_is(ASK(ompt_get_callback)(ompt_callback_work, &callback), 0);
  expect_is(ASK(ompt_set_callback)(ompt_callback_work, (ompt_callback_t)on_work), ompt_set_error);
  expect_is(ASK(ompt_set_callback)(ompt_callback_parallel_begin, NULL), ompt_set_error);
  expect_is(ASK(ompt_get_callback)(ompt_callback_work, &callback), 0);
}

static int sum_in_parallel(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(4)
  for (int i = 0; i < 100; i++)
    sum += i;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
#pragma omp atomic
    sum += 5;
  }
  return sum;
}

int main(int argc, char **argv) {
  const char *where = argv[1];
  omp_set_max_active_levels(3);
  end = ASK(ompt_finalize_tool);
  ASK(ompt_set_callback)(ompt_callback_work, (ompt_callback_t)on_work);
  expect_is(sum_in_parallel(), 5000);
  if (!strcmp(where, "outside")) {
    end();
  } else if (!strcmp(where, "region")) {
#pragma omp parallel num_threads(4)
    if (omp_get_thread_num() == 0)
      end();
  } else if (!strcmp(where, "worker")) {
#pragma omp parallel num_threads(4)
    if (omp_get_thread_num() == 3)
      end();
  } else if (!strcmp(where, "everywhere")) {
#pragma omp parallel num_threads(8)
    end();
  } else if (!strcmp(where, "nested")) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
      end();
  } else if (!strcmp(where, "task")) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task
      {
#pragma omp task if (0)
        end();
      }
#pragma omp taskwait
    }
  } else if (!strcmp(where, "critical")) {
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
    {
      omp_set_lock(&lock);
#pragma omp critical
      end();
      omp_unset_lock(&lock);
    }
  } else if (!strcmp(where, "foreign")) {
    pthread_t thread;
    pthread_create(&thread, NULL, foreign, NULL);
    pthread_join(thread, NULL);
  } else if (!strcmp(where, "foreign_meanwhile")) {
    pthread_t thread;
    pthread_create(&thread, NULL, foreign, NULL);
    for (int i = 0; i < 50; i++)
      expect_is(sum_in_parallel(), 5000);
    pthread_join(thread, NULL);
  } else if (!strcmp(where, "twice")) {
    end();
    end();
  } else if (!strcmp(where, "callback")) {
    from_callback = 1;
#pragma omp parallel num_threads(4)
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 16; i++)
      usleep(10);
  }
  ask_afterwards();
#pragma omp parallel num_threads(4)
  ask_afterwards();
  expect_is(sum_in_parallel(), 5000);
  end();
  ask_afterwards();
  return asker_verdict();
}
