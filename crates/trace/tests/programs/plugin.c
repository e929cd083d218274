// The library that `opener` opens: a region in code that is mapped after recording has begun.
int plugin(void) {
    int count = 0;
#pragma omp parallel num_threads(2) reduction(+ : count)
    count++;
    return count;
}
