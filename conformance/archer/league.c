/* A league of several teams (OpenMP 5.1 §2.7): what is written before is read in each, and what they write is read after. Twin: all teams
 * write one variable. */
//@ checker: no because Archer gives the region of a league to each of its teams in turn, and may report what they share
#include "archer.h"

int main(void) {
  int input = 7, written[8] = {0}, last = 0, wrong = 0, teams = 0;
#pragma omp teams num_teams(3) thread_limit(2) shared(input, written, last, teams)
  {
    written[omp_get_team_num()] = input;
    if (omp_get_team_num() == 0)
      teams = omp_get_num_teams();
#ifdef RACY
    last = omp_get_team_num();
#endif
  }
  for (int i = 0; i < teams; i++)
    wrong += written[i] != 7;
  return verdict(wrong == 0 && last == 0);
}
