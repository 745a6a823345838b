/**
 * The values of stored images: a thread for each entry of x [n, channels, height, width]. The rows are n sample numbers, then
 * n times how far down and right the window is moved, and flips.
 */
export function imagesSource(
  n: number,
  [channels, height, width]: readonly [number, number, number],
): string {
  const total = n * channels * height * width
  return `extern "C" __global__ void __launch_bounds__(256) KERNEL(const unsigned char* __restrict__ pixels, const float* __restrict__ values, const int* __restrict__ rows, float* x) {
const int p = blockIdx.x * 256 + threadIdx.x;
if (p >= ${total}) return;
const int j = p % ${width}, i = p / ${width} % ${height}, c = p / ${width * height} % ${channels}, s = p / ${width * height * channels};
const int down = rows[${n} + 3 * s], right = rows[${n} + 3 * s + 1], flips = rows[${n} + 3 * s + 2];
const int a = (flips & 2 ? ${height - 1} - i : i) + down, b = (flips & 1 ? ${width - 1} - j : j) + right;
const bool inside = a >= 0 && a < ${height} && b >= 0 && b < ${width};
const long long at = (((long long)rows[s] * ${channels} + c) * ${height} + a) * ${width} + b;
x[p] = values[c * 256 + (inside ? pixels[at] : 0)];
}`
}
