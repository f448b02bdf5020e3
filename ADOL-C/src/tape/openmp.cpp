#include <adolc/internal/openmp_names.h>

void beginParallel() {}
void endParallel() {}
int ADOLC_parallel_doCopy = 0;
ADOLC_OpenMP ADOLC_OpenMP_Handler;
ADOLC_OpenMP_NC ADOLC_OpenMP_Handler_NC;
