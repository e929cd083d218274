// A target region that the host executes, twice.
int main(void)
{
    volatile int n = 0;
    for (int pass = 0; pass < 2; pass++) {
#pragma omp target map(tofrom : n)
        {
            n++;
            n += 2;
        }
        n += 3;
    }
    return n != 12;
}
