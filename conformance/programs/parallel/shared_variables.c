// Regions with 0 to 40 shared variables: each is passed by reference, none is lost or swapped (kmpc: arguments of the outlined
// function, some in registers and some on the stack; GOMP: one block). Firstprivate copies of them likewise.
// OpenMP 5.1, 2.6 and 2.21 (data environment)
#include "check.h"

static int threads;

static void shared_0(void) {
    int runs = 0;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
    }
    CHECK_EQ(runs, threads);
}

static void shared_1(void) {
    int runs = 0;
    int v0 = 1;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_2(void) {
    int runs = 0;
    int v0 = 1, v1 = 8;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_3(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_5(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15, v3 = 22, v4 = 29;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3, v3 += 4, v4 += 5;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads), sum += 4 * v3, want += 4 * (22 + 4 * threads), sum += 5 * v4, want += 5 * (29 + 5 *
    threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2, v3, v4) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0, own += 4 * v3, v3 = 0, own += 5 * v4, v4
        = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_6(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15, v3 = 22, v4 = 29, v5 = 36;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3, v3 += 4, v4 += 5, v5 += 6;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads), sum += 4 * v3, want += 4 * (22 + 4 * threads), sum += 5 * v4, want += 5 * (29 + 5 *
    threads), sum += 6 * v5, want += 6 * (36 + 6 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2, v3, v4, v5) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0, own += 4 * v3, v3 = 0, own += 5 * v4, v4
        = 0, own += 6 * v5, v5 = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_7(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15, v3 = 22, v4 = 29, v5 = 36, v6 = 43;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3, v3 += 4, v4 += 5, v5 += 6, v6 += 7;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads), sum += 4 * v3, want += 4 * (22 + 4 * threads), sum += 5 * v4, want += 5 * (29 + 5 *
    threads), sum += 6 * v5, want += 6 * (36 + 6 * threads), sum += 7 * v6, want += 7 * (43 + 7 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2, v3, v4, v5, v6) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0, own += 4 * v3, v3 = 0, own += 5 * v4, v4
        = 0, own += 6 * v5, v5 = 0, own += 7 * v6, v6 = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_9(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15, v3 = 22, v4 = 29, v5 = 36, v6 = 43, v7 = 50, v8 = 57;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3, v3 += 4, v4 += 5, v5 += 6, v6 += 7, v7 += 8, v8 += 9;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads), sum += 4 * v3, want += 4 * (22 + 4 * threads), sum += 5 * v4, want += 5 * (29 + 5 *
    threads), sum += 6 * v5, want += 6 * (36 + 6 * threads), sum += 7 * v6, want += 7 * (43 + 7 * threads), sum += 8 *
    v7, want += 8 * (50 + 8 * threads), sum += 9 * v8, want += 9 * (57 + 9 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2, v3, v4, v5, v6, v7, v8) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0, own += 4 * v3, v3 = 0, own += 5 * v4, v4
        = 0, own += 6 * v5, v5 = 0, own += 7 * v6, v6 = 0, own += 8 * v7, v7 = 0, own += 9 * v8, v8 = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_14(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15, v3 = 22, v4 = 29, v5 = 36, v6 = 43, v7 = 50, v8 = 57, v9 = 64, v10 = 71, v11 = 78,
        v12 = 85, v13 = 92;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3, v3 += 4, v4 += 5, v5 += 6, v6 += 7, v7 += 8, v8 += 9, v9 += 10, v10 += 11, v11 +=
        12, v12 += 13, v13 += 14;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads), sum += 4 * v3, want += 4 * (22 + 4 * threads), sum += 5 * v4, want += 5 * (29 + 5 *
    threads), sum += 6 * v5, want += 6 * (36 + 6 * threads), sum += 7 * v6, want += 7 * (43 + 7 * threads), sum += 8 *
    v7, want += 8 * (50 + 8 * threads), sum += 9 * v8, want += 9 * (57 + 9 * threads), sum += 10 * v9, want += 10 *
    (64 + 10 * threads), sum += 11 * v10, want += 11 * (71 + 11 * threads), sum += 12 * v11, want += 12 * (78 + 12 *
    threads), sum += 13 * v12, want += 13 * (85 + 13 * threads), sum += 14 * v13, want += 14 * (92 + 14 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0, own += 4 * v3, v3 = 0, own += 5 * v4, v4
        = 0, own += 6 * v5, v5 = 0, own += 7 * v6, v6 = 0, own += 8 * v7, v7 = 0, own += 9 * v8, v8 = 0, own += 10 *
        v9, v9 = 0, own += 11 * v10, v10 = 0, own += 12 * v11, v11 = 0, own += 13 * v12, v12 = 0, own += 14 * v13, v13
        = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_15(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15, v3 = 22, v4 = 29, v5 = 36, v6 = 43, v7 = 50, v8 = 57, v9 = 64, v10 = 71, v11 = 78,
        v12 = 85, v13 = 92, v14 = 99;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3, v3 += 4, v4 += 5, v5 += 6, v6 += 7, v7 += 8, v8 += 9, v9 += 10, v10 += 11, v11 +=
        12, v12 += 13, v13 += 14, v14 += 15;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads), sum += 4 * v3, want += 4 * (22 + 4 * threads), sum += 5 * v4, want += 5 * (29 + 5 *
    threads), sum += 6 * v5, want += 6 * (36 + 6 * threads), sum += 7 * v6, want += 7 * (43 + 7 * threads), sum += 8 *
    v7, want += 8 * (50 + 8 * threads), sum += 9 * v8, want += 9 * (57 + 9 * threads), sum += 10 * v9, want += 10 *
    (64 + 10 * threads), sum += 11 * v10, want += 11 * (71 + 11 * threads), sum += 12 * v11, want += 12 * (78 + 12 *
    threads), sum += 13 * v12, want += 13 * (85 + 13 * threads), sum += 14 * v13, want += 14 * (92 + 14 * threads),
    sum += 15 * v14, want += 15 * (99 + 15 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0, own += 4 * v3, v3 = 0, own += 5 * v4, v4
        = 0, own += 6 * v5, v5 = 0, own += 7 * v6, v6 = 0, own += 8 * v7, v7 = 0, own += 9 * v8, v8 = 0, own += 10 *
        v9, v9 = 0, own += 11 * v10, v10 = 0, own += 12 * v11, v11 = 0, own += 13 * v12, v12 = 0, own += 14 * v13, v13
        = 0, own += 15 * v14, v14 = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_16(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15, v3 = 22, v4 = 29, v5 = 36, v6 = 43, v7 = 50, v8 = 57, v9 = 64, v10 = 71, v11 = 78,
        v12 = 85, v13 = 92, v14 = 99, v15 = 106;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3, v3 += 4, v4 += 5, v5 += 6, v6 += 7, v7 += 8, v8 += 9, v9 += 10, v10 += 11, v11 +=
        12, v12 += 13, v13 += 14, v14 += 15, v15 += 16;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads), sum += 4 * v3, want += 4 * (22 + 4 * threads), sum += 5 * v4, want += 5 * (29 + 5 *
    threads), sum += 6 * v5, want += 6 * (36 + 6 * threads), sum += 7 * v6, want += 7 * (43 + 7 * threads), sum += 8 *
    v7, want += 8 * (50 + 8 * threads), sum += 9 * v8, want += 9 * (57 + 9 * threads), sum += 10 * v9, want += 10 *
    (64 + 10 * threads), sum += 11 * v10, want += 11 * (71 + 11 * threads), sum += 12 * v11, want += 12 * (78 + 12 *
    threads), sum += 13 * v12, want += 13 * (85 + 13 * threads), sum += 14 * v13, want += 14 * (92 + 14 * threads),
    sum += 15 * v14, want += 15 * (99 + 15 * threads), sum += 16 * v15, want += 16 * (106 + 16 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0, own += 4 * v3, v3 = 0, own += 5 * v4, v4
        = 0, own += 6 * v5, v5 = 0, own += 7 * v6, v6 = 0, own += 8 * v7, v7 = 0, own += 9 * v8, v8 = 0, own += 10 *
        v9, v9 = 0, own += 11 * v10, v10 = 0, own += 12 * v11, v11 = 0, own += 13 * v12, v12 = 0, own += 14 * v13, v13
        = 0, own += 15 * v14, v14 = 0, own += 16 * v15, v15 = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_17(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15, v3 = 22, v4 = 29, v5 = 36, v6 = 43, v7 = 50, v8 = 57, v9 = 64, v10 = 71, v11 = 78,
        v12 = 85, v13 = 92, v14 = 99, v15 = 106, v16 = 113;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3, v3 += 4, v4 += 5, v5 += 6, v6 += 7, v7 += 8, v8 += 9, v9 += 10, v10 += 11, v11 +=
        12, v12 += 13, v13 += 14, v14 += 15, v15 += 16, v16 += 17;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads), sum += 4 * v3, want += 4 * (22 + 4 * threads), sum += 5 * v4, want += 5 * (29 + 5 *
    threads), sum += 6 * v5, want += 6 * (36 + 6 * threads), sum += 7 * v6, want += 7 * (43 + 7 * threads), sum += 8 *
    v7, want += 8 * (50 + 8 * threads), sum += 9 * v8, want += 9 * (57 + 9 * threads), sum += 10 * v9, want += 10 *
    (64 + 10 * threads), sum += 11 * v10, want += 11 * (71 + 11 * threads), sum += 12 * v11, want += 12 * (78 + 12 *
    threads), sum += 13 * v12, want += 13 * (85 + 13 * threads), sum += 14 * v13, want += 14 * (92 + 14 * threads),
    sum += 15 * v14, want += 15 * (99 + 15 * threads), sum += 16 * v15, want += 16 * (106 + 16 * threads), sum += 17 *
    v16, want += 17 * (113 + 17 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0, own += 4 * v3, v3 = 0, own += 5 * v4, v4
        = 0, own += 6 * v5, v5 = 0, own += 7 * v6, v6 = 0, own += 8 * v7, v7 = 0, own += 9 * v8, v8 = 0, own += 10 *
        v9, v9 = 0, own += 11 * v10, v10 = 0, own += 12 * v11, v11 = 0, own += 13 * v12, v12 = 0, own += 14 * v13, v13
        = 0, own += 15 * v14, v14 = 0, own += 16 * v15, v15 = 0, own += 17 * v16, v16 = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_31(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15, v3 = 22, v4 = 29, v5 = 36, v6 = 43, v7 = 50, v8 = 57, v9 = 64, v10 = 71, v11 = 78,
        v12 = 85, v13 = 92, v14 = 99, v15 = 106, v16 = 113, v17 = 120, v18 = 127, v19 = 134, v20 = 141, v21 = 148, v22
        = 155, v23 = 162, v24 = 169, v25 = 176, v26 = 183, v27 = 190, v28 = 197, v29 = 204, v30 = 211;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3, v3 += 4, v4 += 5, v5 += 6, v6 += 7, v7 += 8, v8 += 9, v9 += 10, v10 += 11, v11 +=
        12, v12 += 13, v13 += 14, v14 += 15, v15 += 16, v16 += 17, v17 += 18, v18 += 19, v19 += 20, v20 += 21, v21 +=
        22, v22 += 23, v23 += 24, v24 += 25, v25 += 26, v26 += 27, v27 += 28, v28 += 29, v29 += 30, v30 += 31;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads), sum += 4 * v3, want += 4 * (22 + 4 * threads), sum += 5 * v4, want += 5 * (29 + 5 *
    threads), sum += 6 * v5, want += 6 * (36 + 6 * threads), sum += 7 * v6, want += 7 * (43 + 7 * threads), sum += 8 *
    v7, want += 8 * (50 + 8 * threads), sum += 9 * v8, want += 9 * (57 + 9 * threads), sum += 10 * v9, want += 10 *
    (64 + 10 * threads), sum += 11 * v10, want += 11 * (71 + 11 * threads), sum += 12 * v11, want += 12 * (78 + 12 *
    threads), sum += 13 * v12, want += 13 * (85 + 13 * threads), sum += 14 * v13, want += 14 * (92 + 14 * threads),
    sum += 15 * v14, want += 15 * (99 + 15 * threads), sum += 16 * v15, want += 16 * (106 + 16 * threads), sum += 17 *
    v16, want += 17 * (113 + 17 * threads), sum += 18 * v17, want += 18 * (120 + 18 * threads), sum += 19 * v18, want
    += 19 * (127 + 19 * threads), sum += 20 * v19, want += 20 * (134 + 20 * threads), sum += 21 * v20, want += 21 *
    (141 + 21 * threads), sum += 22 * v21, want += 22 * (148 + 22 * threads), sum += 23 * v22, want += 23 * (155 + 23
    * threads), sum += 24 * v23, want += 24 * (162 + 24 * threads), sum += 25 * v24, want += 25 * (169 + 25 *
    threads), sum += 26 * v25, want += 26 * (176 + 26 * threads), sum += 27 * v26, want += 27 * (183 + 27 * threads),
    sum += 28 * v27, want += 28 * (190 + 28 * threads), sum += 29 * v28, want += 29 * (197 + 29 * threads), sum += 30
    * v29, want += 30 * (204 + 30 * threads), sum += 31 * v30, want += 31 * (211 + 31 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23, v24, v25, v26, v27, v28, v29, v30) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0, own += 4 * v3, v3 = 0, own += 5 * v4, v4
        = 0, own += 6 * v5, v5 = 0, own += 7 * v6, v6 = 0, own += 8 * v7, v7 = 0, own += 9 * v8, v8 = 0, own += 10 *
        v9, v9 = 0, own += 11 * v10, v10 = 0, own += 12 * v11, v11 = 0, own += 13 * v12, v12 = 0, own += 14 * v13, v13
        = 0, own += 15 * v14, v14 = 0, own += 16 * v15, v15 = 0, own += 17 * v16, v16 = 0, own += 18 * v17, v17 = 0,
        own += 19 * v18, v18 = 0, own += 20 * v19, v19 = 0, own += 21 * v20, v20 = 0, own += 22 * v21, v21 = 0, own +=
        23 * v22, v22 = 0, own += 24 * v23, v23 = 0, own += 25 * v24, v24 = 0, own += 26 * v25, v25 = 0, own += 27 *
        v26, v26 = 0, own += 28 * v27, v27 = 0, own += 29 * v28, v28 = 0, own += 30 * v29, v29 = 0, own += 31 * v30,
        v30 = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_33(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15, v3 = 22, v4 = 29, v5 = 36, v6 = 43, v7 = 50, v8 = 57, v9 = 64, v10 = 71, v11 = 78,
        v12 = 85, v13 = 92, v14 = 99, v15 = 106, v16 = 113, v17 = 120, v18 = 127, v19 = 134, v20 = 141, v21 = 148, v22
        = 155, v23 = 162, v24 = 169, v25 = 176, v26 = 183, v27 = 190, v28 = 197, v29 = 204, v30 = 211, v31 = 218, v32
        = 225;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3, v3 += 4, v4 += 5, v5 += 6, v6 += 7, v7 += 8, v8 += 9, v9 += 10, v10 += 11, v11 +=
        12, v12 += 13, v13 += 14, v14 += 15, v15 += 16, v16 += 17, v17 += 18, v18 += 19, v19 += 20, v20 += 21, v21 +=
        22, v22 += 23, v23 += 24, v24 += 25, v25 += 26, v26 += 27, v27 += 28, v28 += 29, v29 += 30, v30 += 31, v31 +=
        32, v32 += 33;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads), sum += 4 * v3, want += 4 * (22 + 4 * threads), sum += 5 * v4, want += 5 * (29 + 5 *
    threads), sum += 6 * v5, want += 6 * (36 + 6 * threads), sum += 7 * v6, want += 7 * (43 + 7 * threads), sum += 8 *
    v7, want += 8 * (50 + 8 * threads), sum += 9 * v8, want += 9 * (57 + 9 * threads), sum += 10 * v9, want += 10 *
    (64 + 10 * threads), sum += 11 * v10, want += 11 * (71 + 11 * threads), sum += 12 * v11, want += 12 * (78 + 12 *
    threads), sum += 13 * v12, want += 13 * (85 + 13 * threads), sum += 14 * v13, want += 14 * (92 + 14 * threads),
    sum += 15 * v14, want += 15 * (99 + 15 * threads), sum += 16 * v15, want += 16 * (106 + 16 * threads), sum += 17 *
    v16, want += 17 * (113 + 17 * threads), sum += 18 * v17, want += 18 * (120 + 18 * threads), sum += 19 * v18, want
    += 19 * (127 + 19 * threads), sum += 20 * v19, want += 20 * (134 + 20 * threads), sum += 21 * v20, want += 21 *
    (141 + 21 * threads), sum += 22 * v21, want += 22 * (148 + 22 * threads), sum += 23 * v22, want += 23 * (155 + 23
    * threads), sum += 24 * v23, want += 24 * (162 + 24 * threads), sum += 25 * v24, want += 25 * (169 + 25 *
    threads), sum += 26 * v25, want += 26 * (176 + 26 * threads), sum += 27 * v26, want += 27 * (183 + 27 * threads),
    sum += 28 * v27, want += 28 * (190 + 28 * threads), sum += 29 * v28, want += 29 * (197 + 29 * threads), sum += 30
    * v29, want += 30 * (204 + 30 * threads), sum += 31 * v30, want += 31 * (211 + 31 * threads), sum += 32 * v31,
    want += 32 * (218 + 32 * threads), sum += 33 * v32, want += 33 * (225 + 33 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23, v24, v25, v26, v27, v28, v29, v30, v31, v32) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0, own += 4 * v3, v3 = 0, own += 5 * v4, v4
        = 0, own += 6 * v5, v5 = 0, own += 7 * v6, v6 = 0, own += 8 * v7, v7 = 0, own += 9 * v8, v8 = 0, own += 10 *
        v9, v9 = 0, own += 11 * v10, v10 = 0, own += 12 * v11, v11 = 0, own += 13 * v12, v12 = 0, own += 14 * v13, v13
        = 0, own += 15 * v14, v14 = 0, own += 16 * v15, v15 = 0, own += 17 * v16, v16 = 0, own += 18 * v17, v17 = 0,
        own += 19 * v18, v18 = 0, own += 20 * v19, v19 = 0, own += 21 * v20, v20 = 0, own += 22 * v21, v21 = 0, own +=
        23 * v22, v22 = 0, own += 24 * v23, v23 = 0, own += 25 * v24, v24 = 0, own += 26 * v25, v25 = 0, own += 27 *
        v26, v26 = 0, own += 28 * v27, v27 = 0, own += 29 * v28, v28 = 0, own += 30 * v29, v29 = 0, own += 31 * v30,
        v30 = 0, own += 32 * v31, v31 = 0, own += 33 * v32, v32 = 0;
        CHECK_EQ(own, want);
    }
}

static void shared_40(void) {
    int runs = 0;
    int v0 = 1, v1 = 8, v2 = 15, v3 = 22, v4 = 29, v5 = 36, v6 = 43, v7 = 50, v8 = 57, v9 = 64, v10 = 71, v11 = 78,
        v12 = 85, v13 = 92, v14 = 99, v15 = 106, v16 = 113, v17 = 120, v18 = 127, v19 = 134, v20 = 141, v21 = 148, v22
        = 155, v23 = 162, v24 = 169, v25 = 176, v26 = 183, v27 = 190, v28 = 197, v29 = 204, v30 = 211, v31 = 218, v32
        = 225, v33 = 232, v34 = 239, v35 = 246, v36 = 253, v37 = 260, v38 = 267, v39 = 274;
#pragma omp parallel
#pragma omp critical
    {
        runs++;
        v0 += 1, v1 += 2, v2 += 3, v3 += 4, v4 += 5, v5 += 6, v6 += 7, v7 += 8, v8 += 9, v9 += 10, v10 += 11, v11 +=
        12, v12 += 13, v13 += 14, v14 += 15, v15 += 16, v16 += 17, v17 += 18, v18 += 19, v19 += 20, v20 += 21, v21 +=
        22, v22 += 23, v23 += 24, v24 += 25, v25 += 26, v26 += 27, v27 += 28, v28 += 29, v29 += 30, v30 += 31, v31 +=
        32, v32 += 33, v33 += 34, v34 += 35, v35 += 36, v36 += 37, v37 += 38, v38 += 39, v39 += 40;
    }
    CHECK_EQ(runs, threads);
    int sum = 0, want = 0;
    sum += 1 * v0, want += 1 * (1 + 1 * threads), sum += 2 * v1, want += 2 * (8 + 2 * threads), sum += 3 * v2, want +=
    3 * (15 + 3 * threads), sum += 4 * v3, want += 4 * (22 + 4 * threads), sum += 5 * v4, want += 5 * (29 + 5 *
    threads), sum += 6 * v5, want += 6 * (36 + 6 * threads), sum += 7 * v6, want += 7 * (43 + 7 * threads), sum += 8 *
    v7, want += 8 * (50 + 8 * threads), sum += 9 * v8, want += 9 * (57 + 9 * threads), sum += 10 * v9, want += 10 *
    (64 + 10 * threads), sum += 11 * v10, want += 11 * (71 + 11 * threads), sum += 12 * v11, want += 12 * (78 + 12 *
    threads), sum += 13 * v12, want += 13 * (85 + 13 * threads), sum += 14 * v13, want += 14 * (92 + 14 * threads),
    sum += 15 * v14, want += 15 * (99 + 15 * threads), sum += 16 * v15, want += 16 * (106 + 16 * threads), sum += 17 *
    v16, want += 17 * (113 + 17 * threads), sum += 18 * v17, want += 18 * (120 + 18 * threads), sum += 19 * v18, want
    += 19 * (127 + 19 * threads), sum += 20 * v19, want += 20 * (134 + 20 * threads), sum += 21 * v20, want += 21 *
    (141 + 21 * threads), sum += 22 * v21, want += 22 * (148 + 22 * threads), sum += 23 * v22, want += 23 * (155 + 23
    * threads), sum += 24 * v23, want += 24 * (162 + 24 * threads), sum += 25 * v24, want += 25 * (169 + 25 *
    threads), sum += 26 * v25, want += 26 * (176 + 26 * threads), sum += 27 * v26, want += 27 * (183 + 27 * threads),
    sum += 28 * v27, want += 28 * (190 + 28 * threads), sum += 29 * v28, want += 29 * (197 + 29 * threads), sum += 30
    * v29, want += 30 * (204 + 30 * threads), sum += 31 * v30, want += 31 * (211 + 31 * threads), sum += 32 * v31,
    want += 32 * (218 + 32 * threads), sum += 33 * v32, want += 33 * (225 + 33 * threads), sum += 34 * v33, want += 34
    * (232 + 34 * threads), sum += 35 * v34, want += 35 * (239 + 35 * threads), sum += 36 * v35, want += 36 * (246 +
    36 * threads), sum += 37 * v36, want += 37 * (253 + 37 * threads), sum += 38 * v37, want += 38 * (260 + 38 *
    threads), sum += 39 * v38, want += 39 * (267 + 39 * threads), sum += 40 * v39, want += 40 * (274 + 40 * threads);
    CHECK_EQ(sum, want);
#pragma omp parallel default(none) firstprivate(want, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23, v24, v25, v26, v27, v28, v29, v30, v31, v32, v33, v34, v35, v36, v37, v38, v39) shared(corpus_failures, stdout)
    {
        int own = 0;
        own += 1 * v0, v0 = 0, own += 2 * v1, v1 = 0, own += 3 * v2, v2 = 0, own += 4 * v3, v3 = 0, own += 5 * v4, v4
        = 0, own += 6 * v5, v5 = 0, own += 7 * v6, v6 = 0, own += 8 * v7, v7 = 0, own += 9 * v8, v8 = 0, own += 10 *
        v9, v9 = 0, own += 11 * v10, v10 = 0, own += 12 * v11, v11 = 0, own += 13 * v12, v12 = 0, own += 14 * v13, v13
        = 0, own += 15 * v14, v14 = 0, own += 16 * v15, v15 = 0, own += 17 * v16, v16 = 0, own += 18 * v17, v17 = 0,
        own += 19 * v18, v18 = 0, own += 20 * v19, v19 = 0, own += 21 * v20, v20 = 0, own += 22 * v21, v21 = 0, own +=
        23 * v22, v22 = 0, own += 24 * v23, v23 = 0, own += 25 * v24, v24 = 0, own += 26 * v25, v25 = 0, own += 27 *
        v26, v26 = 0, own += 28 * v27, v27 = 0, own += 29 * v28, v28 = 0, own += 30 * v29, v29 = 0, own += 31 * v30,
        v30 = 0, own += 32 * v31, v31 = 0, own += 33 * v32, v32 = 0, own += 34 * v33, v33 = 0, own += 35 * v34, v34 =
        0, own += 36 * v35, v35 = 0, own += 37 * v36, v36 = 0, own += 38 * v37, v37 = 0, own += 39 * v38, v38 = 0, own
        += 40 * v39, v39 = 0;
        CHECK_EQ(own, want);
    }
}

int main(void) {
    threads = omp_get_max_threads();
    shared_0();
    shared_1();
    shared_2();
    shared_3();
    shared_5();
    shared_6();
    shared_7();
    shared_9();
    shared_14();
    shared_15();
    shared_16();
    shared_17();
    shared_31();
    shared_33();
    shared_40();
    return verdict();
}
