#include <adolc/adolc_openmp.h>

void beginParallel() {}
void endParallel() {}
int ADOLC_parallel_doCopy = 0;
ADOLC_OpenMP ADOLC_OpenMP_Handler;
ADOLC_OpenMP_NC ADOLC_OpenMP_Handler_NC;
