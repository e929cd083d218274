// Calls that never return, counts on an intercommunicator, and bytes for neighbors. A library has functions of its own
// under names of Fortran's.
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int own_helpers(void);

static jmp_buf back;
static int rank, size;

static void leave(MPI_Comm *comm, int *error, ...) { longjmp(back, 1); }

// A later call in the same function is at the end of more or fewer stack slots than the one that was left.
static void left(void) {
    MPI_Errhandler handler;
    int value = 1, other;
    MPI_Comm_create_errhandler(leave, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    if (!setjmp(back)) MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    MPI_Sendrecv(&value, 1, MPI_INT, rank, 3, &other, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!setjmp(back)) MPI_Sendrecv(&value, 1, MPI_INT, 99, 3, &other, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

// Rank 0 on one side, all others on the other one. The counts end where no memory is.
static void scattered(void) {
    MPI_Comm local, both;
    int own, total = (size - 1) * 4, page = sysconf(_SC_PAGESIZE);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, rank ? 0 : 1, 7, &both);
    MPI_Comm_size(local, &own);
    char *memory = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(memory + page, page, PROT_NONE);
    int *counts = (int *)(memory + page) - own, *from = calloc(total, sizeof(int)), *into = calloc(total, sizeof(int));
    for (int one = 0; one < own; one++) counts[one] = total / own;
    MPI_Reduce_scatter(from, into, counts, MPI_INT, MPI_SUM, both);
    MPI_Reduce_scatter_block(from, into, total / own, MPI_INT, MPI_SUM, both);
    free(from), free(into);
}

static void neighbors(void) {
    MPI_Comm grid, graph, directed;
    int periodic[2] = {1, 1}, sides[2] = {size, 1}, from[12] = {0}, into[12], next = (rank + 1) % size;
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periodic, 0, &grid);
    MPI_Neighbor_alltoall(from, 3, MPI_INT, into, 3, MPI_INT, grid); // 4 neighbors: 48 bytes
    // Each is the neighbor of the next one and of the one before.
    int *ends = calloc(size, sizeof(int)), *edges = calloc(2 * size, sizeof(int));
    for (int one = 0; one < size; one++) {
        ends[one] = 2 * (one + 1);
        edges[2 * one] = (one + size - 1) % size;
        edges[2 * one + 1] = (one + 1) % size;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, ends, edges, 0, &graph);
    MPI_Neighbor_alltoall(from, 3, MPI_INT, into, 3, MPI_INT, graph); // 2 neighbors: 24 bytes
    int degree = 1, weight = 1;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, &next, &weight, MPI_INFO_NULL, 0, &directed);
    MPI_Neighbor_alltoall(from, 3, MPI_INT, into, 3, MPI_INT, directed); // 1 neighbor: 12 bytes
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left();
    scattered();
    neighbors();
    int right = own_helpers();
    MPI_Finalize();
    if (rank == 0 && right) puts("all is well");
    return 0;
}
