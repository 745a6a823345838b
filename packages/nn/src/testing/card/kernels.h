// Kernels that run thread by thread, and what they see of the card.
#pragma once
#include <setjmp.h>
#include <ucontext.h>
#include <vector>
#include "common.h"

namespace {

struct Place { unsigned x, y, z; };
struct Card {
  Place thread, block, size;
  void (*meet)(int all);
  unsigned words[1024];
};

const char* const kernelHead = R"(
struct Place { unsigned x, y, z; };
struct Card { Place thread, block, size; void (*meet)(int all); unsigned words[1024]; };
static Card* card;
extern "C" void card_bind(Card* given) { card = given; }
#define threadIdx card->thread
#define blockIdx card->block
#define blockDim card->size
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __shared__ static
extern "C" { float expf(float); float logf(float); float sqrtf(float); float tanhf(float); float floorf(float);
  float fabsf(float); float fmaxf(float, float); float fminf(float, float); }
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
template <class To, class From> static inline To same_bits(From from) { To to; __builtin_memcpy(&to, &from, 4); return to; }
static inline float __int_as_float(int v) { return same_bits<float>(v); }
static inline float __uint_as_float(unsigned v) { return same_bits<float>(v); }
static inline unsigned __float_as_uint(float v) { return same_bits<unsigned>(v); }
static inline float rsqrtf(float v) { return 1.f / sqrtf(v); }
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
template <class T> static inline T __ldcg(const T* p) { return *p; }
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline unsigned atomicAdd(unsigned* p, unsigned v) { const unsigned before = *p; *p += v; return before; }
static inline void __threadfence() {}
static inline void __syncthreads() { card->meet(1); }
static inline float __shfl_xor_sync(unsigned, float v, int lanes) {
  const unsigned t = card->thread.x;
  card->words[t] = __float_as_uint(v);
  card->meet(0);
  const float other = __uint_as_float(card->words[t ^ lanes]);
  card->meet(0);
  return other;
}
static inline unsigned __ballot_sync(unsigned, int vote) {
  const unsigned t = card->thread.x, first = t / 32 * 32;
  card->words[t] = vote != 0;
  card->meet(0);
  unsigned votes = 0;
  for (unsigned lane = 0; lane < 32; lane++) votes |= (card->words[first + lane] & 1u) << lane;
  card->meet(0);
  return votes;
}
)";

// Milliseconds as cards tell them, but the same every time: a kernel takes one, what a library does half of one.
float clockOfCard = 0;

struct Kernel {
  void (*run)(void**);
  int parameters;
  bool meets;
};

enum State { READY, AT_BLOCK, AT_WARP, DONE };
constexpr int MOST_THREADS = 1024;
constexpr size_t STACK = 1 << 16;
const unsigned NOT_A_NUMBER = 0x7fc00000u;

Card card;
// Contexts are only for the start: going on from a jump asks nothing of the system.
ucontext_t home;
ucontext_t starts[MOST_THREADS];
jmp_buf scheduler;
jmp_buf fibers[MOST_THREADS];
bool begun[MOST_THREADS];
State states[MOST_THREADS];
Kernel* running;
void** given;

void meet(int all) {
  const unsigned t = card.thread.x;
  states[t] = all ? AT_BLOCK : AT_WARP;
  if (_setjmp(fibers[t]) == 0) _longjmp(scheduler, 1);
}

void fiber() {
  running->run(given);
  states[card.thread.x] = DONE;
  // A lane that has ended has nothing to say to the others of its warp.
  card.words[card.thread.x] = NOT_A_NUMBER;
  _longjmp(scheduler, 1);
}

void goOn(int t) {
  card.thread = {(unsigned)t, 0, 0};
  if (_setjmp(scheduler) != 0) return;
  if (begun[t]) _longjmp(fibers[t], 1);
  begun[t] = true;
  setcontext(&starts[t]);
}

// Lets those go on that all of their warp, or of their block, have come to. Threads that wait for different things wait for ever.
bool release(int threads) {
  bool atWarp = false;
  for (int first = 0; first < threads; first += 32) {
    bool some = false, others = false;
    for (int t = first; t < first + 32 && t < threads; t++) {
      some |= states[t] == AT_WARP;
      others |= states[t] == AT_BLOCK;
    }
    if (some && others) return false;
    atWarp |= some;
  }
  for (int t = 0; t < threads; t++)
    if (states[t] == (atWarp ? AT_WARP : AT_BLOCK)) states[t] = READY;
  return true;
}

void runFibers(int threads) {
  static std::vector<char> stacks(MOST_THREADS * STACK);
  getcontext(&home);
  for (int t = 0; t < threads; t++) {
    starts[t] = home;
    starts[t].uc_stack = {&stacks[t * STACK], 0, STACK};
    starts[t].uc_link = nullptr;
    makecontext(&starts[t], fiber, 0);
    begun[t] = false;
    states[t] = READY;
    card.words[t] = NOT_A_NUMBER;
  }
  for (;;) {
    bool ran = false;
    for (int t = 0; t < threads; t++) {
      if (states[t] != READY) continue;
      ran = true;
      goOn(t);
    }
    if (!ran) return;
    if (!release(threads)) {
      lost = LOST;
      return;
    }
  }
}

void runKernel(Kernel* kernel, Place grid, unsigned threads, void** arguments) {
  static bool backwards = false;
  backwards = !backwards;
  clockOfCard += 1;
  running = kernel;
  given = arguments;
  card.size = {threads, 1, 1};
  const unsigned blocks = grid.x * grid.y * grid.z;
  for (unsigned i = 0; i < blocks && !lost; i++) {
    const unsigned b = backwards ? blocks - 1 - i : i;
    card.block = {b % grid.x, b / grid.x % grid.y, b / (grid.x * grid.y)};
    if (kernel->meets) {
      runFibers(threads);
    } else {
      for (card.thread = {0, 0, 0}; card.thread.x < threads; card.thread.x++) kernel->run(arguments);
    }
  }
}

}  // namespace
