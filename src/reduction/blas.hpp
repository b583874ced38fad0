// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cblas.h>

/// Single and double precision under one name, for code that is generic in the scalar. All calls
/// run on the calling thread: we parallelise ourselves, so that results do not depend on the number
/// of threads.
namespace supple::reduction::blas {

inline void gemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k,
                 double alpha, const double* a, int lda, const double* b, int ldb, double beta,
                 double* c, int ldc) {
  cblas_dgemm(layout, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
inline void gemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k,
                 float alpha, const float* a, int lda, const float* b, int ldb, float beta,
                 float* c, int ldc) {
  cblas_sgemm(layout, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

inline void trsm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE ta, int m,
                 int n, const double* a, int lda, double* b, int ldb) {
  cblas_dtrsm(layout, side, uplo, ta, CblasNonUnit, m, n, 1.0, a, lda, b, ldb);
}
inline void trsm(CBLAS_LAYOUT layout, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE ta, int m,
                 int n, const float* a, int lda, float* b, int ldb) {
  cblas_strsm(layout, side, uplo, ta, CblasNonUnit, m, n, 1.0F, a, lda, b, ldb);
}

/// C -= A A^T, lower triangle, column-major.
inline void syrk_subtract(int n, int k, const double* a, int lda, double* c, int ldc) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, n, k, -1.0, a, lda, 1.0, c, ldc);
}
inline void syrk_subtract(int n, int k, const float* a, int lda, float* c, int ldc) {
  cblas_ssyrk(CblasColMajor, CblasLower, CblasNoTrans, n, k, -1.0F, a, lda, 1.0F, c, ldc);
}

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info);
void dsyevr_(const char* job, const char* range, const char* uplo, const int* n, double* a,
             const int* lda, const double* vl, const double* vu, const int* il, const int* iu,
             const double* tolerance, int* found, double* w, double* z, const int* ldz,
             int* support, double* work, const int* lwork, int* iwork, const int* liwork,
             int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* lwork, int* info);
void dormqr_(const char* side, const char* trans, const int* m, const int* n, const int* k,
             const double* a, const int* lda, const double* tau, double* c, const int* ldc,
             double* work, const int* lwork, int* info);
void dgesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, double* a,
             const int* lda, double* s, double* u, const int* ldu, double* vt, const int* ldvt,
             double* work, const int* lwork, int* info);
}

/// Cholesky of a dense lower triangle, column-major; 0, or the number (from 1) of the first column
/// whose pivot is not positive.
inline int potrf(int n, double* a, int lda) {
  int info = 0;
  dpotrf_("L", &n, a, &lda, &info);
  return info;
}
inline int potrf(int n, float* a, int lda) {
  int info = 0;
  spotrf_("L", &n, a, &lda, &info);
  return info;
}

}  // namespace supple::reduction::blas
