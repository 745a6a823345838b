// A card made of the processor: the functions of NVIDIA's driver, NVRTC, cuBLASLt and cuDNN that the executor calls, so that its laws hold
// it to account where there is no card. Kernels are compiled as C++ and run thread by thread; threads of a block that meet (at
// __syncthreads, or to exchange numbers) are fibers. What a card leaves open is made as bad as it may be: new memory is full of NaN,
// the order of blocks changes from launch to launch, and memory beside a piece is watched. The two libraries know no algorithm, so
// that plain kernels do their work. All calls come from one thread.
#include <dlfcn.h>
#include <elf.h>
#include <setjmp.h>
#include <stdint.h>
#include <ucontext.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

enum { INVALID = 1, NO_MEMORY = 2, NOT_FOUND = 500, LOST = 719 };

// ---- What kernels see of the card ----

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

// ---- Running a kernel ----

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
int lost = 0;

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

// ---- Memory: each piece between two borders ----

constexpr size_t BORDER = 256;
constexpr size_t LARGE = 1 << 26;
constexpr char MARK = 0x5a;
std::map<uint64_t, size_t> pieces;

uint64_t take(size_t bytes) {
  const size_t rounded = (bytes + BORDER - 1) / BORDER * BORDER;
  char* start = (char*)aligned_alloc(BORDER, rounded + 2 * BORDER);
  if (!start) return 0;
  memset(start, MARK, BORDER);
  memset(start + BORDER + bytes, MARK, BORDER);
  // What is set aside for measuring is large, and not worth the time.
  if (bytes < LARGE) memset(start + BORDER, 0xff, bytes);
  pieces[(uint64_t)(start + BORDER)] = bytes;
  return (uint64_t)(start + BORDER);
}

bool isWhole(uint64_t address, size_t bytes) {
  const char* start = (const char*)address;
  for (size_t i = 1; i <= BORDER; i++)
    if (start[-(long)i] != MARK || start[bytes + i - 1] != MARK) return false;
  return true;
}

int give(uint64_t address) {
  const auto piece = pieces.find(address);
  if (piece == pieces.end()) return INVALID;
  const bool whole = isWhole(address, piece->second);
  pieces.erase(piece);
  free((char*)address - BORDER);
  return whole ? 0 : LOST;
}

// ---- Work: done at once, or recorded with what it must wait for ----

struct Node {
  std::function<void()> work;
  std::vector<size_t> after;
  bool isBeside;
};
using Graph = std::vector<Node>;
struct Recording {
  uint64_t origin;
  Graph graph;
  // What the next work of a stream waits for; which work an event stands for.
  std::map<uint64_t, std::vector<size_t>> ahead, events;
};
Recording* recording;

int doOrRecord(uint64_t stream, std::function<void()> work) {
  if (!recording) {
    work();
    return lost;
  }
  std::vector<size_t>& ahead = recording->ahead[stream];
  recording->graph.push_back({work, ahead, stream != recording->origin});
  ahead = {recording->graph.size() - 1};
  return lost;
}

// As it was recorded; what is beside the first stream as early as it may be; or as late: what does not wait for what it needs comes
// out wrong.
void launch(const Graph& graph) {
  static int turn = 0;
  turn = (turn + 1) % 3;
  const size_t n = graph.size();
  std::vector<size_t> waits(n);
  std::vector<std::vector<size_t>> next(n);
  std::set<std::pair<bool, size_t>> ready;
  const auto place = [&](size_t i) { return std::make_pair(turn != 0 && graph[i].isBeside == (turn == 1), i); };
  for (size_t i = 0; i < n; i++) {
    waits[i] = graph[i].after.size();
    for (size_t before : graph[i].after) next[before].push_back(i);
    if (waits[i] == 0) ready.insert(place(i));
  }
  while (!ready.empty() && !lost) {
    const size_t i = ready.begin()->second;
    ready.erase(ready.begin());
    graph[i].work();
    for (size_t each : next[i])
      if (--waits[each] == 0) ready.insert(place(each));
  }
}

// Whether all that was recorded ends in the stream that the recording began with.
bool isJoined(const Recording& r) {
  std::set<size_t> seen;
  std::vector<size_t> open = r.ahead.count(r.origin) ? r.ahead.at(r.origin) : std::vector<size_t>{};
  while (!open.empty()) {
    const size_t i = open.back();
    open.pop_back();
    if (seen.insert(i).second) open.insert(open.end(), r.graph[i].after.begin(), r.graph[i].after.end());
  }
  return seen.size() == r.graph.size();
}

double now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

uint64_t handle() {
  static uint64_t last = 4096;
  return last += 16;
}

// ---- The compiler ----

struct Source { std::string text, binary, log; };

// For each kernel a function that takes its arguments as the driver gives them, how many there are, and whether its threads meet.
std::string entries(const std::string& text) {
  const std::string mark = "extern \"C\" __global__ void __launch_bounds__(";
  std::string out;
  for (size_t at = text.find(mark); at != std::string::npos;) {
    const size_t next = text.find(mark, at + 1);
    const size_t name = text.find(") ", at) + 2, open = text.find('(', name), close = text.find(')', open);
    const std::string own = text.substr(name, open - name);
    std::string call;
    int count = 0;
    for (size_t from = open + 1; from < close; count++) {
      const size_t end = std::min(text.find(',', from), close);
      const std::string type = text.substr(from, text.rfind(' ', end) - from);
      call += (count ? ", " : "") + ("*(" + type + "*)a[" + std::to_string(count) + "]");
      from = end + 1;
    }
    const std::string body = text.substr(close, next == std::string::npos ? next : next - close);
    bool meets = false;
    for (const char* word : {"__syncthreads", "warp_sum", "warp_max", "__shfl", "__ballot"})
      meets |= body.find(word) != std::string::npos;
    out += "extern \"C\" void " + own + "_run(void** a) { " + own + "(" + call + "); }\n";
    out += "extern \"C\" { int " + own + "_count = " + std::to_string(count) + ", " + own + "_meets = " + (meets ? "1" : "0") + "; }\n";
    at = next;
  }
  return out;
}

std::string fileName() {
  char name[] = "/tmp/rlvi-card-XXXXXX";
  close(mkstemp(name));
  return name;
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int compile(Source& source) {
  const std::string path = fileName();
  std::ofstream(path) << kernelHead << source.text << entries(source.text);
  const std::string command = "g++ -std=c++17 -O1 -w -fno-strict-aliasing -ffp-contract=off -shared -fPIC -x c++ -o " + path + ".so " + path + " 2> " + path + ".log";
  const int failed = system(command.c_str());
  source.log = contents(path + ".log");
  source.binary = failed ? "" : contents(path + ".so");
  for (const char* end : {"", ".so", ".log"}) unlink((path + end).c_str());
  return failed ? 6 : 0;
}

// A binary says itself how long it is: its table of sections is the last thing in it.
size_t lengthOf(const void* binary) {
  const Elf64_Ehdr* head = (const Elf64_Ehdr*)binary;
  return head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
}

template <class T> int put(void* place, T value) {
  memcpy(place, &value, sizeof value);
  return 0;
}

}  // namespace

extern "C" {

// For tests: from now on every call that waits for work fails with this code; 0 for none.
int card_lose(int code) { return lost = code; }

// For tests: the latest CUDA that the driver knows, such as 13000 for 13.0.
int driver = 13000;
int card_driver(int wanted) { return driver = wanted; }

// For tests: the card's capability, such as 90 for 9.0.
int capability = 90;
int card_capability(int wanted) { return capability = wanted; }

// ---- Driver ----

int cuGetErrorName(int, const char** out) { return put(out, "EMULATED_CARD"); }
int cuGetErrorString(int code, const char** out) {
  return put(out, code == LOST        ? "memory beside a piece was written to, or threads wait for each other for ever"
                  : code == NO_MEMORY ? "out of memory"
                                      : "not so");
}
int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* out) { return put(out, driver); }
int cuDeviceGetCount(int* out) { return put(out, 1); }
int cuDeviceGet(int* out, int number) { return number == 0 ? put(out, 0) : 101; }
int cuDeviceGetName(char* out, int length, int) { snprintf(out, length, "emulated card"); return 0; }
int cuDeviceGetAttribute(int* out, int which, int) { return put(out, which == 75 ? capability / 10 : capability % 10); }
int cuDeviceTotalMem_v2(size_t* out, int) { return put(out, (size_t)1 << 33); }
int cuDevicePrimaryCtxRetain(uint64_t* out, int) { return put(out, handle()); }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(uint64_t) { return 0; }
int cuCtxSynchronize() { return lost; }
int cuMemGetInfo_v2(size_t* free, size_t* total) { return put(free, (size_t)1 << 32) + put(total, (size_t)1 << 33); }
int cuMemAlloc_v2(uint64_t* out, size_t bytes) {
  const uint64_t address = bytes > (size_t)1 << 33 ? 0 : take(bytes);
  return address ? put(out, address) : NO_MEMORY;
}
int cuMemFree_v2(uint64_t address) { return give(address); }
int cuMemHostAlloc(uint64_t* out, size_t bytes, unsigned) { return put(out, take(bytes)); }
int cuMemFreeHost(uint64_t address) { return give(address); }
int cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) { memcpy((void*)to, from, bytes); return lost; }
int cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) { memcpy(to, (void*)from, bytes); return lost; }
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, uint64_t stream) {
  return doOrRecord(stream, [=] { memmove((void*)to, (void*)from, bytes); });
}
int cuMemcpyHtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, uint64_t stream) { return cuMemcpyDtoDAsync_v2(to, from, bytes, stream); }
int cuMemcpyDtoHAsync_v2(uint64_t to, uint64_t from, size_t bytes, uint64_t stream) { return cuMemcpyDtoDAsync_v2(to, from, bytes, stream); }
int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, uint64_t stream) {
  return doOrRecord(stream, [=] { memset((void*)to, value, bytes); });
}
int cuModuleLoadData(uint64_t* out, const void* binary) {
  const std::string path = fileName();
  std::ofstream(path, std::ios::binary).write((const char*)binary, lengthOf(binary));
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  unlink(path.c_str());
  if (!module) return INVALID;
  card.meet = meet;
  ((void (*)(Card*))dlsym(module, "card_bind"))(&card);
  return put(out, (uint64_t)module);
}
int cuModuleUnload(uint64_t module) { return dlclose((void*)module); }
int cuModuleGetFunction(uint64_t* out, uint64_t module, const char* name) {
  const auto find = [&](const char* end) { return dlsym((void*)module, (std::string(name) + end).c_str()); };
  void* run = find("_run");
  if (!run) return NOT_FOUND;
  return put(out, (uint64_t) new Kernel{(void (*)(void**))run, *(int*)find("_count"), *(int*)find("_meets") != 0});
}
int cuLaunchKernel(uint64_t function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned down, unsigned deep,
                   unsigned, uint64_t stream, void** parameters, void**) {
  if (x == 0 || y == 0 || z == 0 || y > 65535 || z > 65535 || threads == 0 || threads > MOST_THREADS || down * deep != 1) return INVALID;
  Kernel* kernel = (Kernel*)function;
  std::vector<uint64_t> values;
  for (int i = 0; i < kernel->parameters; i++) values.push_back(*(uint64_t*)parameters[i]);
  return doOrRecord(stream, [=] {
    std::vector<uint64_t> own = values;
    std::vector<void*> places;
    for (uint64_t& value : own) places.push_back(&value);
    runKernel(kernel, {x, y, z}, threads, places.data());
  });
}
int cuStreamCreate(uint64_t* out, unsigned) { return put(out, handle()); }
int cuStreamDestroy_v2(uint64_t) { return 0; }
int cuStreamQuery(uint64_t) { return lost; }
int cuStreamSynchronize(uint64_t) { return recording ? 900 : lost; }
int cuStreamWaitEvent(uint64_t stream, uint64_t event, unsigned) {
  if (!recording) return 0;
  std::vector<size_t>& ahead = recording->ahead[stream];
  const std::vector<size_t>& more = recording->events[event];
  ahead.insert(ahead.end(), more.begin(), more.end());
  return 0;
}
int cuEventCreate(uint64_t* out, unsigned) { return put(out, (uint64_t) new double(0)); }
int cuEventDestroy_v2(uint64_t event) { delete (double*)event; return 0; }
int cuEventRecord(uint64_t event, uint64_t stream) {
  if (recording) recording->events[event] = recording->ahead[stream];
  *(double*)event = now();
  return 0;
}
int cuEventSynchronize(uint64_t) { return lost; }
int cuEventElapsedTime(float* out, uint64_t start, uint64_t end) { return put(out, (float)(*(double*)end - *(double*)start)); }
int cuStreamBeginCapture_v2(uint64_t stream, int) {
  if (recording) return 901;
  recording = new Recording{stream, {}, {}, {}};
  return 0;
}
int cuStreamEndCapture(uint64_t, uint64_t* out) {
  if (!recording) return 901;
  const bool joined = isJoined(*recording);
  put(out, (uint64_t) new Graph(recording->graph));
  delete recording;
  recording = nullptr;
  return joined ? 0 : 904;
}
int cuGraphInstantiateWithFlags(uint64_t* out, uint64_t graph, uint64_t) {
  return put(out, (uint64_t) new Graph(*(Graph*)graph));
}
int cuGraphDestroy(uint64_t graph) { delete (Graph*)graph; return 0; }
int cuGraphExecDestroy(uint64_t graph) { return cuGraphDestroy(graph); }
int cuGraphLaunch(uint64_t graph, uint64_t stream) {
  return doOrRecord(stream, [=] { launch(*(Graph*)graph); });
}

// ---- NVRTC ----

const char* nvrtcGetErrorString(int code) { return code == 6 ? "compilation" : "not so"; }
int nvrtcVersion(int* major, int* minor) { return put(major, 13) + put(minor, 99); }
const int architectures[] = {75, 80, 90};
int nvrtcGetNumSupportedArchs(int* out) { return put(out, 3); }
int nvrtcGetSupportedArchs(int* out) { memcpy(out, architectures, sizeof architectures); return 0; }
int nvrtcCreateProgram(uint64_t* out, const char* text, const char*, int, void*, void*) { return put(out, (uint64_t) new Source{text}); }
int nvrtcDestroyProgram(uint64_t* place) { delete (Source*)*place; return 0; }
int nvrtcCompileProgram(uint64_t program, int, void*) { return compile(*(Source*)program); }
int nvrtcGetCUBINSize(uint64_t program, size_t* out) { return put(out, ((Source*)program)->binary.size()); }
int nvrtcGetCUBIN(uint64_t program, char* out) {
  const std::string& binary = ((Source*)program)->binary;
  memcpy(out, binary.data(), binary.size());
  return 0;
}
int nvrtcGetProgramLogSize(uint64_t program, size_t* out) { return put(out, ((Source*)program)->log.size() + 1); }
int nvrtcGetProgramLog(uint64_t program, char* out) { strcpy(out, ((Source*)program)->log.c_str()); return 0; }

// ---- cuBLASLt and cuDNN: there, and without an algorithm ----

const char* cublasLtGetStatusString(int) { return "not so"; }
size_t cublasLtGetVersion() { return 130000; }
int cublasLtCreate(uint64_t* out) { return put(out, handle()); }
int cublasLtDestroy(uint64_t) { return 0; }
int cublasLtMatmulDescCreate(uint64_t* out, int, int) { return put(out, handle()); }
int cublasLtMatmulDescDestroy(uint64_t) { return 0; }
int cublasLtMatmulDescSetAttribute(uint64_t, int, void*, size_t) { return 0; }
int cublasLtMatrixLayoutCreate(uint64_t* out, int, uint64_t, uint64_t, int64_t) { return put(out, handle()); }
int cublasLtMatrixLayoutDestroy(uint64_t) { return 0; }
int cublasLtMatmulPreferenceCreate(uint64_t* out) { return put(out, handle()); }
int cublasLtMatmulPreferenceDestroy(uint64_t) { return 0; }
int cublasLtMatmulPreferenceSetAttribute(uint64_t, int, void*, size_t) { return 0; }
int cublasLtMatmulAlgoGetHeuristic(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, int, void*, int* count) { return put(count, 0); }
int cublasLtMatmul() { return 15; }

const char* cudnnGetErrorString(int) { return "not supported"; }
void cudnnGetLastErrorString(char* out, size_t length) { if (length > 0) out[0] = 0; }
size_t cudnnGetVersion() { return 90000; }
size_t cudnnGetCudartVersion() { return 13000; }
int cudnnCreate(uint64_t* out) { return put(out, handle()); }
int cudnnDestroy(uint64_t) { return 0; }
int cudnnSetStream(uint64_t, uint64_t) { return 0; }
int cudnnBackendCreateDescriptor(int, uint64_t*) { return 3000; }
int cudnnBackendDestroyDescriptor(uint64_t) { return 0; }
int cudnnBackendSetAttribute() { return 3000; }
int cudnnBackendGetAttribute() { return 3000; }
int cudnnBackendFinalize(uint64_t) { return 3000; }
int cudnnBackendExecute(uint64_t, uint64_t, uint64_t) { return 3000; }

}  // extern "C"
