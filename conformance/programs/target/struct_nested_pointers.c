// Structures in structures with pointers two levels deep. OpenMP 5.1, 2.21.7.1-2
//@ cannot: gcc because gcc 12 crashes on the members
//@ devices: 1 3
#include "device.h"

struct leaf {
    int n;
    int *values;
};
struct branch {
    struct leaf left, right;
    struct leaf *more;
};
struct tree {
    int id;
    struct branch *branch;
};

int main(void) {
    int a[10], b[20], c[30];
    for (int i = 0; i < 30; i++) a[i % 10] = b[i % 20] = c[i] = 1;
    struct leaf more = {30, c};
    struct branch branch = {{10, a}, {20, b}, &more};
    struct tree tree = {3, &branch}, *t = &tree;
    int sum = 0;
#pragma omp target data map(to : t[0 : 1]) map(to : t->branch[0 : 1])
    {
#pragma omp target data map(tofrom : t->branch->left.values[0 : 10], t->branch->right.values[0 : 20]) map(to : t->branch->more[0 : 1])
        {
#pragma omp target data map(tofrom : branch.more->values[0 : 30])
            {
#pragma omp target map(from : sum)
                {
                    sum = 0;
                    struct branch *s = t->branch;
                    for (int i = 0; i < s->left.n; i++) sum += s->left.values[i]++;
                    for (int i = 0; i < s->right.n; i++) sum += s->right.values[i]++;
                    for (int i = 0; i < s->more->n; i++) sum += s->more->values[i]++;
                }
            }
        }
    }
    CHECK_EQ(sum, 60);
    CHECK(a[9] == 2 && b[19] == 2 && c[29] == 2 && c[0] == 2, "%d %d %d", a[9], b[19], c[29]);
    CHECK(t->branch->more->values == c && t->branch->left.values == a, "the host's pointers have changed");
    return verdict();
}
