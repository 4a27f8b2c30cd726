#include "base/processor.h"

#if !defined(__x86_64__) && !defined(__i386__)
bool em_has_ssse3(void)
{
    return false;
}

bool em_has_avx2(void)
{
    return false;
}

bool em_has_avx512(void)
{
    return false;
}
#elif __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>

bool em_has_ssse3(void)
{
    return CPU_FEATURE_ACTIVE(SSSE3);
}

bool em_has_avx2(void)
{
    return CPU_FEATURE_ACTIVE(AVX2);
}

bool em_has_avx512(void)
{
    return CPU_FEATURE_ACTIVE(AVX512F);
}
#else
bool em_has_ssse3(void)
{
    return __builtin_cpu_supports("ssse3");
}

bool em_has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

bool em_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}
#endif
