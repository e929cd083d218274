// __kmpc_fork_call with 0 to 40 arguments: every one reaches every thread in its place.
// OpenMP 5.1, 2.6; libomp's interface
//@ compilers: clang
#include <stdint.h>

#include "check.h"

typedef struct {
    int reserved1, flags, reserved2, reserved3;
    const char *source;
} location;

typedef void micro(int *, int *, ...);
void __kmpc_fork_call(location *where, int argc, micro *body, ...);

static location where = {0, 2, 0, 0, ";abi/kmpc_fork_many_arguments.c;main;0;0;;"};
static int runs;

static void arrived(int argc, intptr_t sum) {
    intptr_t want = 0;
    for (int i = 0; i < argc; i++) want += (intptr_t)(i + 1) * (1000 + i);
    CHECK(sum == want, "%d arguments", argc);
#pragma omp atomic
    runs++;
}

static void body0(int *global, int *bound) {
    (void)global, (void)bound;
    arrived(0, 0);
}

static void body1(int *global, int *bound, intptr_t a0) {
    (void)global, (void)bound;
    arrived(1, 1 * a0);
}

static void body2(int *global, int *bound, intptr_t a0, intptr_t a1) {
    (void)global, (void)bound;
    arrived(2, 1 * a0 + 2 * a1);
}

static void body3(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2) {
    (void)global, (void)bound;
    arrived(3, 1 * a0 + 2 * a1 + 3 * a2);
}

static void body4(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3) {
    (void)global, (void)bound;
    arrived(4, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3);
}

static void body5(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4) {
    (void)global, (void)bound;
    arrived(5, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4);
}

static void body6(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5) {
    (void)global, (void)bound;
    arrived(6, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5);
}

static void body7(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6) {
    (void)global, (void)bound;
    arrived(7, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6);
}

static void body8(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7) {
    (void)global, (void)bound;
    arrived(8, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7);
}

static void body9(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8) {
    (void)global, (void)bound;
    arrived(9, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8);
}

static void body10(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9) {
    (void)global, (void)bound;
    arrived(10, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9);
}

static void body11(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10) {
    (void)global, (void)bound;
    arrived(11, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10);
}

static void body12(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11) {
    (void)global, (void)bound;
    arrived(12, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11);
}

static void body13(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12) {
    (void)global, (void)bound;
    arrived(13, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12);
}

static void body14(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13) {
    (void)global, (void)bound;
    arrived(14, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13);
}

static void body15(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14) {
    (void)global, (void)bound;
    arrived(15, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14);
}

static void body16(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15) {
    (void)global, (void)bound;
    arrived(16, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15);
}

static void body17(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16) {
    (void)global, (void)bound;
    arrived(17, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16);
}

static void body18(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17) {
    (void)global, (void)bound;
    arrived(18, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17);
}

static void body19(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18) {
    (void)global, (void)bound;
    arrived(19, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18);
}

static void body20(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19) {
    (void)global, (void)bound;
    arrived(20, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19);
}

static void body21(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20) {
    (void)global, (void)bound;
    arrived(21, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20);
}

static void body22(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21) {
    (void)global, (void)bound;
    arrived(22, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21);
}

static void body23(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22) {
    (void)global, (void)bound;
    arrived(23, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22);
}

static void body24(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23) {
    (void)global, (void)bound;
    arrived(24, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23);
}

static void body25(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24) {
    (void)global, (void)bound;
    arrived(25, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24);
}

static void body26(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25) {
    (void)global, (void)bound;
    arrived(26, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25);
}

static void body27(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26) {
    (void)global, (void)bound;
    arrived(27, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26);
}

static void body28(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27) {
    (void)global, (void)bound;
    arrived(28, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27);
}

static void body29(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28) {
    (void)global, (void)bound;
    arrived(29, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28);
}

static void body30(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28, intptr_t a29) {
    (void)global, (void)bound;
    arrived(30, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28 + 30 * a29);
}

static void body31(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28, intptr_t a29, intptr_t a30) {
    (void)global, (void)bound;
    arrived(31, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28 + 30 * a29 + 31 * a30);
}

static void body32(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28, intptr_t a29, intptr_t a30, intptr_t a31) {
    (void)global, (void)bound;
    arrived(32, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28 + 30 * a29 + 31 * a30 + 32 * a31);
}

static void body33(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28, intptr_t a29, intptr_t a30, intptr_t a31,
    intptr_t a32) {
    (void)global, (void)bound;
    arrived(33, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28 + 30 * a29 + 31 * a30 + 32 * a31 + 33 * a32);
}

static void body34(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28, intptr_t a29, intptr_t a30, intptr_t a31,
    intptr_t a32, intptr_t a33) {
    (void)global, (void)bound;
    arrived(34, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28 + 30 * a29 + 31 * a30 + 32 * a31 + 33 * a32 +
            34 * a33);
}

static void body35(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28, intptr_t a29, intptr_t a30, intptr_t a31,
    intptr_t a32, intptr_t a33, intptr_t a34) {
    (void)global, (void)bound;
    arrived(35, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28 + 30 * a29 + 31 * a30 + 32 * a31 + 33 * a32 +
            34 * a33 + 35 * a34);
}

static void body36(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28, intptr_t a29, intptr_t a30, intptr_t a31,
    intptr_t a32, intptr_t a33, intptr_t a34, intptr_t a35) {
    (void)global, (void)bound;
    arrived(36, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28 + 30 * a29 + 31 * a30 + 32 * a31 + 33 * a32 +
            34 * a33 + 35 * a34 + 36 * a35);
}

static void body37(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28, intptr_t a29, intptr_t a30, intptr_t a31,
    intptr_t a32, intptr_t a33, intptr_t a34, intptr_t a35, intptr_t a36) {
    (void)global, (void)bound;
    arrived(37, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28 + 30 * a29 + 31 * a30 + 32 * a31 + 33 * a32 +
            34 * a33 + 35 * a34 + 36 * a35 + 37 * a36);
}

static void body38(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28, intptr_t a29, intptr_t a30, intptr_t a31,
    intptr_t a32, intptr_t a33, intptr_t a34, intptr_t a35, intptr_t a36, intptr_t a37) {
    (void)global, (void)bound;
    arrived(38, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28 + 30 * a29 + 31 * a30 + 32 * a31 + 33 * a32 +
            34 * a33 + 35 * a34 + 36 * a35 + 37 * a36 + 38 * a37);
}

static void body39(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28, intptr_t a29, intptr_t a30, intptr_t a31,
    intptr_t a32, intptr_t a33, intptr_t a34, intptr_t a35, intptr_t a36, intptr_t a37, intptr_t a38) {
    (void)global, (void)bound;
    arrived(39, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28 + 30 * a29 + 31 * a30 + 32 * a31 + 33 * a32 +
            34 * a33 + 35 * a34 + 36 * a35 + 37 * a36 + 38 * a37 + 39 * a38);
}

static void body40(int *global, int *bound, intptr_t a0, intptr_t a1, intptr_t a2, intptr_t a3, intptr_t a4, intptr_t a5,
    intptr_t a6, intptr_t a7, intptr_t a8, intptr_t a9, intptr_t a10, intptr_t a11, intptr_t a12, intptr_t a13, intptr_t a14,
    intptr_t a15, intptr_t a16, intptr_t a17, intptr_t a18, intptr_t a19, intptr_t a20, intptr_t a21, intptr_t a22, intptr_t
    a23, intptr_t a24, intptr_t a25, intptr_t a26, intptr_t a27, intptr_t a28, intptr_t a29, intptr_t a30, intptr_t a31,
    intptr_t a32, intptr_t a33, intptr_t a34, intptr_t a35, intptr_t a36, intptr_t a37, intptr_t a38, intptr_t a39) {
    (void)global, (void)bound;
    arrived(40, 1 * a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 + 11 * a10 + 12 * a11 +
            13 * a12 + 14 * a13 + 15 * a14 + 16 * a15 + 17 * a16 + 18 * a17 + 19 * a18 + 20 * a19 + 21 * a20 + 22 * a21 + 23 *
            a22 + 24 * a23 + 25 * a24 + 26 * a25 + 27 * a26 + 28 * a27 + 29 * a28 + 30 * a29 + 31 * a30 + 32 * a31 + 33 * a32 +
            34 * a33 + 35 * a34 + 36 * a35 + 37 * a36 + 38 * a37 + 39 * a38 + 40 * a39);
}

int main(void) {
    int want = omp_get_max_threads();
    __kmpc_fork_call(&where, 0, (micro *)body0);
    CHECK_EQ(runs, 1 * want);
    __kmpc_fork_call(&where, 1, (micro *)body1, (void *)1000);
    CHECK_EQ(runs, 2 * want);
    __kmpc_fork_call(&where, 2, (micro *)body2, (void *)1000, (void *)1001);
    CHECK_EQ(runs, 3 * want);
    __kmpc_fork_call(&where, 3, (micro *)body3, (void *)1000, (void *)1001, (void *)1002);
    CHECK_EQ(runs, 4 * want);
    __kmpc_fork_call(&where, 4, (micro *)body4, (void *)1000, (void *)1001, (void *)1002, (void *)1003);
    CHECK_EQ(runs, 5 * want);
    __kmpc_fork_call(&where, 5, (micro *)body5, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004);
    CHECK_EQ(runs, 6 * want);
    __kmpc_fork_call(&where, 6, (micro *)body6, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005);
    CHECK_EQ(runs, 7 * want);
    __kmpc_fork_call(&where, 7, (micro *)body7, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006);
    CHECK_EQ(runs, 8 * want);
    __kmpc_fork_call(&where, 8, (micro *)body8, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007);
    CHECK_EQ(runs, 9 * want);
    __kmpc_fork_call(&where, 9, (micro *)body9, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008);
    CHECK_EQ(runs, 10 * want);
    __kmpc_fork_call(&where, 10, (micro *)body10, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009);
    CHECK_EQ(runs, 11 * want);
    __kmpc_fork_call(&where, 11, (micro *)body11, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010);
    CHECK_EQ(runs, 12 * want);
    __kmpc_fork_call(&where, 12, (micro *)body12, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011);
    CHECK_EQ(runs, 13 * want);
    __kmpc_fork_call(&where, 13, (micro *)body13, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012);
    CHECK_EQ(runs, 14 * want);
    __kmpc_fork_call(&where, 14, (micro *)body14, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013);
    CHECK_EQ(runs, 15 * want);
    __kmpc_fork_call(&where, 15, (micro *)body15, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014);
    CHECK_EQ(runs, 16 * want);
    __kmpc_fork_call(&where, 16, (micro *)body16, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015);
    CHECK_EQ(runs, 17 * want);
    __kmpc_fork_call(&where, 17, (micro *)body17, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016);
    CHECK_EQ(runs, 18 * want);
    __kmpc_fork_call(&where, 18, (micro *)body18, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017);
    CHECK_EQ(runs, 19 * want);
    __kmpc_fork_call(&where, 19, (micro *)body19, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018);
    CHECK_EQ(runs, 20 * want);
    __kmpc_fork_call(&where, 20, (micro *)body20, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019);
    CHECK_EQ(runs, 21 * want);
    __kmpc_fork_call(&where, 21, (micro *)body21, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020);
    CHECK_EQ(runs, 22 * want);
    __kmpc_fork_call(&where, 22, (micro *)body22, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021);
    CHECK_EQ(runs, 23 * want);
    __kmpc_fork_call(&where, 23, (micro *)body23, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022);
    CHECK_EQ(runs, 24 * want);
    __kmpc_fork_call(&where, 24, (micro *)body24, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023);
    CHECK_EQ(runs, 25 * want);
    __kmpc_fork_call(&where, 25, (micro *)body25, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024);
    CHECK_EQ(runs, 26 * want);
    __kmpc_fork_call(&where, 26, (micro *)body26, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025);
    CHECK_EQ(runs, 27 * want);
    __kmpc_fork_call(&where, 27, (micro *)body27, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026);
    CHECK_EQ(runs, 28 * want);
    __kmpc_fork_call(&where, 28, (micro *)body28, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027);
    CHECK_EQ(runs, 29 * want);
    __kmpc_fork_call(&where, 29, (micro *)body29, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028);
    CHECK_EQ(runs, 30 * want);
    __kmpc_fork_call(&where, 30, (micro *)body30, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028, (void *)1029);
    CHECK_EQ(runs, 31 * want);
    __kmpc_fork_call(&where, 31, (micro *)body31, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028, (void *)1029, (void *)1030);
    CHECK_EQ(runs, 32 * want);
    __kmpc_fork_call(&where, 32, (micro *)body32, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028, (void *)1029, (void *)1030, (void *)1031);
    CHECK_EQ(runs, 33 * want);
    __kmpc_fork_call(&where, 33, (micro *)body33, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028, (void *)1029, (void *)1030, (void *)1031, (void *)1032);
    CHECK_EQ(runs, 34 * want);
    __kmpc_fork_call(&where, 34, (micro *)body34, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028, (void *)1029, (void *)1030, (void *)1031, (void *)1032, (void *)1033);
    CHECK_EQ(runs, 35 * want);
    __kmpc_fork_call(&where, 35, (micro *)body35, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028, (void *)1029, (void *)1030, (void *)1031, (void *)1032, (void *)1033, (void *)1034);
    CHECK_EQ(runs, 36 * want);
    __kmpc_fork_call(&where, 36, (micro *)body36, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028, (void *)1029, (void *)1030, (void *)1031, (void *)1032, (void *)1033, (void *)1034, (void
                     *)1035);
    CHECK_EQ(runs, 37 * want);
    __kmpc_fork_call(&where, 37, (micro *)body37, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028, (void *)1029, (void *)1030, (void *)1031, (void *)1032, (void *)1033, (void *)1034, (void
                     *)1035, (void *)1036);
    CHECK_EQ(runs, 38 * want);
    __kmpc_fork_call(&where, 38, (micro *)body38, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028, (void *)1029, (void *)1030, (void *)1031, (void *)1032, (void *)1033, (void *)1034, (void
                     *)1035, (void *)1036, (void *)1037);
    CHECK_EQ(runs, 39 * want);
    __kmpc_fork_call(&where, 39, (micro *)body39, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028, (void *)1029, (void *)1030, (void *)1031, (void *)1032, (void *)1033, (void *)1034, (void
                     *)1035, (void *)1036, (void *)1037, (void *)1038);
    CHECK_EQ(runs, 40 * want);
    __kmpc_fork_call(&where, 40, (micro *)body40, (void *)1000, (void *)1001, (void *)1002, (void *)1003, (void *)1004, (void
                     *)1005, (void *)1006, (void *)1007, (void *)1008, (void *)1009, (void *)1010, (void *)1011, (void *)1012,
                     (void *)1013, (void *)1014, (void *)1015, (void *)1016, (void *)1017, (void *)1018, (void *)1019, (void
                     *)1020, (void *)1021, (void *)1022, (void *)1023, (void *)1024, (void *)1025, (void *)1026, (void *)1027,
                     (void *)1028, (void *)1029, (void *)1030, (void *)1031, (void *)1032, (void *)1033, (void *)1034, (void
                     *)1035, (void *)1036, (void *)1037, (void *)1038, (void *)1039);
    CHECK_EQ(runs, 41 * want);
    return verdict();
}
