// A card made of the processor: the functions of NVIDIA's driver, NVRTC, cuBLASLt and cuDNN that the executor calls, so that its laws hold
// it to account where there is no card. Kernels are compiled as C++ and run thread by thread; threads of a block that meet (at
// __syncthreads, or to exchange numbers) are fibers. What a card leaves open is made as bad as it may be: new memory is full of NaN,
// the order of blocks changes from launch to launch, and memory beside a piece is watched. The two libraries know no algorithm, so
// that plain kernels do their work, or (card_algorithms) one for everything, written after what NVIDIA's manuals say of their
// descriptors. All calls come from one thread.
#include <dlfcn.h>
#include <elf.h>
#include <setjmp.h>
#include <stdint.h>
#include <ucontext.h>
#include <unistd.h>
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

// ---- Numbers of the libraries: float32, or 16 bits ----

enum { FLOAT = 0, BFLOAT16 = 9 };

float read(uint64_t from, int64_t i, int type) {
  if (type == FLOAT) return ((const float*)from)[i];
  const uint32_t bits = (uint32_t)((const uint16_t*)from)[i] << 16;
  float v;
  memcpy(&v, &bits, 4);
  return v;
}

void write(uint64_t to, int64_t i, int type, double value) {
  const float v = (float)value;
  if (type == FLOAT) {
    ((float*)to)[i] = v;
    return;
  }
  uint32_t bits;
  memcpy(&bits, &v, 4);
  ((uint16_t*)to)[i] = v != v ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

// Whether the libraries have an algorithm; without one, plain kernels do all the work. And how often one did some.
int hasAlgorithms = 0;
int calls = 0;

// ---- Products of cuBLASLt: matrices lie column by column ----

struct Task { std::map<int, int64_t> attributes; };
struct Layout { int type; int64_t rows, columns, apart; };

int multiply(const Task& task, uint64_t a, const Layout& A, uint64_t b, const Layout& B, uint64_t out, const Layout& D) {
  enum { TRANSPOSE_A = 3, TRANSPOSE_B = 4, EPILOGUE = 7, BIAS = 8, RELU = 2, ADDED = 4 };
  const auto of = [&](int which, int64_t otherwise) {
    const auto found = task.attributes.find(which);
    return found == task.attributes.end() ? otherwise : found->second;
  };
  const bool ta = of(TRANSPOSE_A, 0), tb = of(TRANSPOSE_B, 0);
  const int64_t epilogue = of(EPILOGUE, 1), inner = ta ? A.rows : A.columns;
  if ((ta ? A.columns : A.rows) != D.rows || (tb ? B.rows : B.columns) != D.columns || (tb ? B.columns : B.rows) != inner) return 7;
  if (A.apart < A.rows || B.apart < B.rows || D.apart < D.rows || A.type || B.type || D.type) return 7;
  for (int64_t i = 0; i < D.rows; i++)
    for (int64_t j = 0; j < D.columns; j++) {
      double sum = 0;
      for (int64_t k = 0; k < inner; k++)
        sum += (double)read(a, ta ? i * A.apart + k : k * A.apart + i, FLOAT) * read(b, tb ? k * B.apart + j : j * B.apart + k, FLOAT);
      if (epilogue & ADDED) sum += read((uint64_t)of(BIAS, 0), i, FLOAT);
      if (epilogue & RELU) sum = sum > 0 ? sum : 0;
      write(out, j * D.apart + i, FLOAT, sum);
    }
  return 0;
}

// ---- Convolutions of cuDNN: descriptors with attributes by number ----

struct Descriptor {
  int kind;
  std::map<int, std::vector<int64_t>> attributes;
  bool isFinal = false;
  const std::vector<int64_t>& operator[](int which) const {
    static const std::vector<int64_t> none;
    const auto found = attributes.find(which);
    return found == attributes.end() ? none : found->second;
  }
  const Descriptor& at(int which) const { return *(Descriptor*)(*this)[which].at(0); }
};
enum { CONVOLUTION = 1, ENGINE = 2, CONFIGURATION = 3, HEURISTICS = 4, PLAN = 5, FORWARD = 10, BY_WEIGHT = 11, BY_INPUT = 12, GRAPH = 15, PACK = 16, TENSOR = 17 };
enum { BAD_PARAM = 2000, NOT_SUPPORTED = 3000 };
constexpr int64_t WORKSPACE = 4096;

// What must be said of each kind, how often: attribute and count.
const std::map<int, std::vector<std::pair<int, size_t>>> needed = {
  {CONVOLUTION, {{100, 1}, {101, 1}, {102, 2}, {103, 2}, {104, 2}, {105, 2}, {106, 1}}},
  {TENSOR, {{900, 1}, {901, 1}, {902, 4}, {903, 4}, {906, 1}}},
  {FORWARD, {{700, 1}, {701, 1}, {702, 1}, {703, 1}, {704, 1}, {705, 1}}},
  {BY_INPUT, {{706, 1}, {707, 1}, {708, 1}, {709, 1}, {710, 1}, {711, 1}}},
  {BY_WEIGHT, {{712, 1}, {713, 1}, {714, 1}, {715, 1}, {716, 1}, {717, 1}}},
  {GRAPH, {{800, 1}, {801, 1}}},
  {HEURISTICS, {{200, 1}, {201, 1}}},
  {PLAN, {{400, 1}, {401, 1}}},
  {PACK, {{1000, 3}, {1001, 3}, {1003, 1}}},
};

// The tensors of an operation: images, filters, and what comes of them. Filters precede images among the attributes.
struct Parts {
  const Descriptor *shape, *x, *w, *y;
  double alpha, beta;
  explicit Parts(const Descriptor& op) {
    const int first = op.kind == FORWARD ? 700 : op.kind == BY_INPUT ? 706 : 712;
    shape = &op.at(first + 2), w = &op.at(first + 3), x = &op.at(first + 4), y = &op.at(first + 5);
    alpha = number(op[first]), beta = number(op[first + 1]);
  }
  static double number(const std::vector<int64_t>& bits) {
    float v;
    memcpy(&v, &bits[0], 4);
    return v;
  }
  bool fit() const {
    const auto &X = (*x)[902], &W = (*w)[902], &Y = (*y)[902];
    const auto &stride = (*shape)[103], &before = (*shape)[105], &after = (*shape)[104];
    for (int axis = 0; axis < 2; axis++)
      if (Y[2 + axis] != (X[2 + axis] + before[axis] + after[axis] - W[2 + axis]) / stride[axis] + 1) return false;
    return X[0] == Y[0] && X[1] == W[1] && Y[1] == W[0] && (*x)[901] == (*w)[901] && (*x)[901] == (*y)[901] && alpha == 1 && beta == 0;
  }
};

bool isComplete(const Descriptor& d) {
  const auto wanted = needed.find(d.kind);
  if (wanted == needed.end()) return false;
  for (const auto& [attribute, count] : wanted->second)
    if (d[attribute].size() != count) return false;
  // One that others are made of is finished first.
  for (int other : {201, 401, 702, 703, 704, 705, 708, 709, 710, 711, 714, 715, 716, 717, 801})
    if (!d[other].empty() && !d.at(other).isFinal) return false;
  if (d.kind == CONVOLUTION) return d[101][0] == 1 && d[106][0] == 2 && d[102] == std::vector<int64_t>{1, 1};
  if (d.kind == FORWARD || d.kind == BY_INPUT || d.kind == BY_WEIGHT) return Parts(d).fit();
  return true;
}

void convolve(const Descriptor& op, const std::map<int64_t, uint64_t>& memory) {
  const Parts parts(op);
  const auto &X = (*parts.x)[902], &W = (*parts.w)[902], &Y = (*parts.y)[902];
  const auto &stride = (*parts.shape)[103], &padding = (*parts.shape)[105];
  const int type = (int)(*parts.x)[901][0];
  const auto place = [](const std::vector<int64_t>& s, int64_t a, int64_t b, int64_t c, int64_t e) {
    return a * s[0] + b * s[1] + c * s[2] + e * s[3];
  };
  const auto start = [&](const Descriptor* d) { return memory.at((*d)[906][0]); };
  const uint64_t images = start(parts.x), filters = start(parts.w), results = start(parts.y);
  const auto &sx = (*parts.x)[903], &sw = (*parts.w)[903], &sy = (*parts.y)[903];
  const Descriptor* out = op.kind == FORWARD ? parts.y : op.kind == BY_INPUT ? parts.x : parts.w;
  const auto& dims = (*out)[902];
  std::vector<double> sums(dims[0] * dims[1] * dims[2] * dims[3]);
  const auto sum = [&](int64_t a, int64_t b, int64_t c, int64_t e) -> double& { return sums[((a * dims[1] + b) * dims[2] + c) * dims[3] + e]; };
  for (int64_t n = 0; n < Y[0]; n++)
    for (int64_t i = 0; i < Y[2]; i++)
      for (int64_t j = 0; j < Y[3]; j++)
        for (int64_t a = 0; a < W[2]; a++)
          for (int64_t b = 0; b < W[3]; b++) {
            const int64_t r = i * stride[0] - padding[0] + a, q = j * stride[1] - padding[1] + b;
            if (r < 0 || r >= X[2] || q < 0 || q >= X[3]) continue;
            for (int64_t o = 0; o < W[0]; o++)
              for (int64_t c = 0; c < W[1]; c++) {
                const auto x = [&] { return (double)read(images, place(sx, n, c, r, q), type); };
                const auto w = [&] { return (double)read(filters, place(sw, o, c, a, b), type); };
                const auto y = [&] { return (double)read(results, place(sy, n, o, i, j), type); };
                if (op.kind == FORWARD) sum(n, o, i, j) += x() * w();
                else if (op.kind == BY_INPUT) sum(n, c, r, q) += y() * w();
                else sum(o, c, a, b) += x() * y();
              }
          }
  for (int64_t a = 0; a < dims[0]; a++)
    for (int64_t b = 0; b < dims[1]; b++)
      for (int64_t c = 0; c < dims[2]; c++)
        for (int64_t e = 0; e < dims[3]; e++) write(start(out), place((*out)[903], a, b, c, e), type, sum(a, b, c, e));
}

// The stream that cuDNN works on.
uint64_t streamOfDnn = 0;

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
int cuEventCreate(uint64_t* out, unsigned) { return put(out, (uint64_t) new float(0)); }
int cuEventDestroy_v2(uint64_t event) { delete (float*)event; return 0; }
int cuEventRecord(uint64_t event, uint64_t stream) {
  if (recording) recording->events[event] = recording->ahead[stream];
  *(float*)event = clockOfCard;
  return 0;
}
int cuEventSynchronize(uint64_t) { return lost; }
int cuEventElapsedTime(float* out, uint64_t start, uint64_t end) { return put(out, *(float*)end - *(float*)start); }
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

// ---- cuBLASLt ----

int card_algorithms(int some) { return hasAlgorithms = some; }
int card_calls(int) { return calls; }

const char* cublasLtGetStatusString(int) { return "not so"; }
size_t cublasLtGetVersion() { return 130000 + hasAlgorithms; }
int cublasLtCreate(uint64_t* out) { return put(out, handle()); }
int cublasLtDestroy(uint64_t) { return 0; }
int cublasLtMatmulDescCreate(uint64_t* out, int, int) { return put(out, (uint64_t) new Task()); }
int cublasLtMatmulDescDestroy(uint64_t task) { delete (Task*)task; return 0; }
int cublasLtMatmulDescSetAttribute(uint64_t task, int which, void* value, size_t bytes) {
  int64_t number = 0;
  memcpy(&number, value, bytes);
  ((Task*)task)->attributes[which] = number;
  return 0;
}
int cublasLtMatrixLayoutCreate(uint64_t* out, int type, uint64_t rows, uint64_t columns, int64_t apart) {
  return put(out, (uint64_t) new Layout{type, (int64_t)rows, (int64_t)columns, apart});
}
int cublasLtMatrixLayoutDestroy(uint64_t layout) { delete (Layout*)layout; return 0; }
int cublasLtMatmulPreferenceCreate(uint64_t* out) { return put(out, handle()); }
int cublasLtMatmulPreferenceDestroy(uint64_t) { return 0; }
int cublasLtMatmulPreferenceSetAttribute(uint64_t, int, void*, size_t) { return 0; }
int cublasLtMatmulAlgoGetHeuristic(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, int, void*, int* count) {
  return put(count, hasAlgorithms);
}
int cublasLtMatmul(uint64_t, uint64_t task, const float* alpha, uint64_t a, uint64_t A, uint64_t b, uint64_t B, const float* beta,
                   uint64_t, uint64_t, uint64_t out, uint64_t D, const void*, uint64_t, size_t, uint64_t stream) {
  if (*alpha != 1 || *beta != 0) return 15;
  // What descriptors say is read now: they may be gone when the work is done.
  const Task own = *(Task*)task;
  const Layout first = *(Layout*)A, second = *(Layout*)B, result = *(Layout*)D;
  int status = 0;
  int* place = recording ? nullptr : &status;
  doOrRecord(stream, [=] {
    clockOfCard += 0.5f;
    calls++;
    const int failed = multiply(own, a, first, b, second, out, result);
    if (place) *place = failed;
    else if (failed) lost = LOST;
  });
  return status ? status : lost;
}

// ---- cuDNN ----

const char* cudnnGetErrorString(int) { return "not supported"; }
void cudnnGetLastErrorString(char* out, size_t length) { if (length > 0) out[0] = 0; }
size_t cudnnGetVersion() { return 90000 + hasAlgorithms; }
size_t cudnnGetCudartVersion() { return 13000; }
int cudnnCreate(uint64_t* out) { return put(out, handle()); }
int cudnnDestroy(uint64_t) { return 0; }
int cudnnSetStream(uint64_t, uint64_t stream) { streamOfDnn = stream; return 0; }
int cudnnBackendCreateDescriptor(int kind, uint64_t* out) {
  if (!hasAlgorithms) return NOT_SUPPORTED;
  return put(out, (uint64_t) new Descriptor{kind, {}});
}
int cudnnBackendDestroyDescriptor(uint64_t descriptor) { delete (Descriptor*)descriptor; return 0; }
int cudnnBackendSetAttribute(uint64_t descriptor, int which, int type, int64_t count, const char* values) {
  Descriptor& d = *(Descriptor*)descriptor;
  if (d.isFinal) return BAD_PARAM;
  const bool isLong = type == 0 || type == 3 || type == 6 || type == 15;
  std::vector<int64_t> read(count);
  for (int64_t i = 0; i < count; i++) memcpy(&read[i], values + i * (isLong ? 8 : 4), isLong ? 8 : 4);
  d.attributes[which] = read;
  return 0;
}
int cudnnBackendGetAttribute(uint64_t descriptor, int which, int, int64_t asked, int64_t* count, uint64_t* out) {
  Descriptor& d = *(Descriptor*)descriptor;
  if (which == 402 && d.isFinal) return put(out, WORKSPACE) + put(count, (int64_t)1);
  if (which == 1303) return put(count, (int64_t)0);
  // One engine, handed on from heuristics to configuration to engine by the graph that it is for.
  if ((which == 202 && d.isFinal) || which == 300) {
    if (asked > 0) {
      Descriptor& made = *(Descriptor*)*out;
      made.attributes[201] = d[201];
      made.isFinal = true;
    }
    return put(count, (int64_t)1);
  }
  return BAD_PARAM;
}
int cudnnBackendFinalize(uint64_t descriptor) {
  Descriptor& d = *(Descriptor*)descriptor;
  d.isFinal = isComplete(d);
  return d.isFinal ? 0 : BAD_PARAM;
}
int cudnnBackendExecute(uint64_t, uint64_t plan, uint64_t pack) {
  const Descriptor &p = *(Descriptor*)plan, &v = *(Descriptor*)pack;
  if (!p.isFinal || !v.isFinal) return BAD_PARAM;
  std::map<int64_t, uint64_t> memory;
  for (int i = 0; i < 3; i++) memory[v[1000][i]] = (uint64_t)v[1001][i];
  const uint64_t room = (uint64_t)v[1003][0];
  const Descriptor* op = &p.at(401).at(201).at(801);
  return doOrRecord(streamOfDnn, [=] {
    clockOfCard += 0.5f;
    calls++;
    // The room is used, so that it must be there, and nobody else's at the time.
    memset((void*)room, 0xff, WORKSPACE);
    convolve(*op, memory);
  });
}

}  // extern "C"
