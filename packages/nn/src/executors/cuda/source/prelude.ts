/** What all kernels share. No header is included, so that nothing but the compiler is needed. */
export const prelude = `
typedef unsigned short bf16;
#define INLINE static __device__ __forceinline__
INLINE float nan_() { return __int_as_float(0x7fffffff); }
INLINE float load(const float* p) { return *p; }
INLINE float load(const bf16* p) { return __uint_as_float(((unsigned)*p) << 16); }
INLINE int load(const int* p) { return *p; }
// To 16 bits, the nearest number, the even one of two. Cards before capability 8.0 have no instruction for it, and need it in float32 nowhere
// but in a branch that is not taken.
#if __CUDA_ARCH__ >= 800
INLINE unsigned pack(float low, float high) {
  unsigned r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}
#else
INLINE unsigned half_of(float v) {
  const unsigned u = __float_as_uint(v);
  return v != v ? 0x7fffu : (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
}
INLINE unsigned pack(float low, float high) { return half_of(high) << 16 | half_of(low); }
#endif
INLINE void store(float* p, float v) { *p = v; }
INLINE void store(int* p, int v) { *p = v; }
INLINE void store(bf16* p, float v) { *p = (bf16)pack(v, 0.f); }
template <int V> INLINE void loads(const float* p, float (&v)[V]) {
  #pragma unroll
  for (int l = 0; l < V; l += 4) {
    const float4 q = *reinterpret_cast<const float4*>(p + l);
    v[l] = q.x; v[l + 1] = q.y; v[l + 2] = q.z; v[l + 3] = q.w;
  }
}
template <int V> INLINE void loads(const bf16* p, float (&v)[V]) {
  #pragma unroll
  for (int l = 0; l < V; l += 8) {
    const uint4 q = *reinterpret_cast<const uint4*>(p + l);
    const unsigned u[4] = {q.x, q.y, q.z, q.w};
    #pragma unroll
    for (int k = 0; k < 4; k++) {
      v[l + 2 * k] = __uint_as_float(u[k] << 16);
      v[l + 2 * k + 1] = __uint_as_float(u[k] & 0xffff0000u);
    }
  }
}
// Past the first cache, which other blocks' sums do not reach.
template <int V> INLINE void loads_far(const float* p, float (&v)[V]) {
  if (V % 4 != 0) {
    #pragma unroll
    for (int l = 0; l < V; l++) v[l] = __ldcg(p + l);
    return;
  }
  #pragma unroll
  for (int l = 0; l + 3 < V; l += 4) {
    const float4 q = __ldcg(reinterpret_cast<const float4*>(p + l));
    v[l] = q.x; v[l + 1] = q.y; v[l + 2] = q.z; v[l + 3] = q.w;
  }
}
template <int V> INLINE void stores(float* p, const float (&v)[V]) {
  #pragma unroll
  for (int l = 0; l < V; l += 4)
    *reinterpret_cast<float4*>(p + l) = make_float4(v[l], v[l + 1], v[l + 2], v[l + 3]);
}
template <int V> INLINE void stores(bf16* p, const float (&v)[V]) {
  #pragma unroll
  for (int l = 0; l < V; l += 8)
    *reinterpret_cast<uint4*>(p + l) = make_uint4(pack(v[l], v[l + 1]), pack(v[l + 2], v[l + 3]),
                                                  pack(v[l + 4], v[l + 5]), pack(v[l + 6], v[l + 7]));
}
INLINE float relu_(float x) { return x < 0.f ? 0.f : x; }
INLINE float max_(float a, float b) { return a != a || b != b ? nan_() : fmaxf(a, b); }
INLINE float min_(float a, float b) { return a != a || b != b ? nan_() : fminf(a, b); }
INLINE float warp_sum(float v) {
  #pragma unroll
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}
INLINE float warp_max(float v) {
  #pragma unroll
  for (int d = 16; d > 0; d >>= 1) v = max_(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}
`
