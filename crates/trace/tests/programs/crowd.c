// Three regions of 200 threads.
int main(void) {
    int count = 0;
    for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(200) reduction(+ : count)
        count++;
    }
    return count != 600;
}
