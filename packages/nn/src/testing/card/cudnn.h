// Convolutions of cuDNN: descriptors with attributes by number.
#pragma once
#include <map>
#include <vector>
#include "kernels.h"
#include "numbers.h"
#include "work.h"

namespace {

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
thread_local uint64_t streamOfDnn = 0;

}  // namespace

extern "C" {

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
    called();
    // The room is used, so that it must be there, and nobody else's at the time.
    memset((void*)room, 0xff, WORKSPACE);
    convolve(*op, memory);
  });
}

}  // extern "C"
