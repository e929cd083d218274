// Something to step through: into a region and a task, and out of both.
#include <omp.h>

static int counted;

int main(void)
{
    counted = 1;
#pragma omp parallel num_threads(1)
    {
        counted += 1;
#pragma omp task if(0)
        {
            counted += 10;
        }
        counted += 100;
    }
    counted += 1000;
    return counted != 1112;
}
