// A card made of the processor: the functions of NVIDIA's driver, NVRTC, cuBLASLt and cuDNN that the executor calls, so that its laws hold
// it to account where there is no card. Kernels are compiled as C++ and run thread by thread; threads of a block that meet (at
// __syncthreads, or to exchange numbers) are fibers. What a card leaves open is made as bad as it may be: new memory is full of NaN,
// nothing is done before somebody waits for it, the order of blocks changes from launch to launch, and memory beside a piece is watched.
// The two libraries know no algorithm, so that plain kernels do their work, or (card_algorithms) one for everything, written after what
// NVIDIA's manuals say of their descriptors. Threads may share the card. Compiled with -DIDLE it does nothing of what was recorded, and
// new memory is 0: what is left is what driving a card takes the processor; with -DIDLE=600 the longest graph keeps it busy for 600
// microseconds, and shorter ones for their share of that.

#include <dlfcn.h>
#include <cstdio>
#include "cublaslt.h"
#include "cudnn.h"
#include "idle.h"
#include "kernels.h"
#include "memory.h"
#include "nvrtc.h"
#include "work.h"

extern "C" {

// ---- What tests tell and ask the card ----

// From now on every call that waits for work fails with this code; 0 for none.
int card_lose(int code) { return lost = code; }

// The latest CUDA that the driver knows, such as 13000 for 13.0.
int driver = 13000;
int card_driver(int wanted) { return driver = wanted; }

// Such as 90 for 9.0.
int capability = 90;
int card_capability(int wanted) { return capability = wanted; }

// Whether the libraries have algorithms, and how often one was used.
int card_algorithms(int some) { return hasAlgorithms = some; }
int card_calls(int) { return calls; }

// From now on the first algorithm that is used breaks the card, which is lost with this code; 0 for none.
int card_break(int code) { return breaks = code; }

// How many microseconds it was busy since this was asked last; with 1 other graphs come now.
double card_busy(int isStart) { return busySince(isStart != 0); }

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
int cuCtxSynchronize() { finish(); return lost; }
int cuMemGetInfo_v2(size_t* free, size_t* total) { return put(free, (size_t)1 << 32) + put(total, (size_t)1 << 33); }
int cuMemAlloc_v2(uint64_t* out, size_t bytes) {
  const uint64_t address = bytes > (size_t)1 << 33 ? 0 : take(bytes);
  return address ? put(out, address) : NO_MEMORY;
}
int cuMemFree_v2(uint64_t address) { finish(); return give(address); }
int cuMemHostAlloc(uint64_t* out, size_t bytes, unsigned) { return put(out, take(bytes)); }
int cuMemFreeHost(uint64_t address) { finish(); return give(address); }
int cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) { rest(busyUntil); memcpy((void*)to, from, bytes); return lost; }
int cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) { rest(busyUntil); memcpy(to, (void*)from, bytes); return lost; }
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
int cuStreamDestroy_v2(uint64_t stream) { finish(); streams.erase(stream); return 0; }
int cuStreamSynchronize(uint64_t stream) {
  if (recording) return 900;
  rest(busyUntil);
  Turn turn(turns);
  advance(streams[stream], streams[stream].asked);
  return lost;
}
int cuStreamWaitEvent(uint64_t stream, uint64_t event, unsigned) {
  if (!recording) return 0;
  std::vector<size_t>& ahead = recording->ahead[stream];
  const std::vector<size_t>& more = recording->events[event];
  ahead.insert(ahead.end(), more.begin(), more.end());
  return 0;
}
// A place in a stream, and when it is come to: by the clock of cards, and by that of the processor where the card is idle.
struct Event {
  uint64_t stream, place;
  float clock;
  double reached;
};
int cuEventCreate(uint64_t* out, unsigned) { return put(out, (uint64_t) new Event{}); }
int cuEventDestroy_v2(uint64_t event) { finish(); delete (Event*)event; return 0; }
int cuEventRecord(uint64_t event, uint64_t stream) {
  Event* const own = (Event*)event;
  if (recording) {
    recording->events[event] = recording->ahead[stream];
    return 0;
  }
  Turn turn(turns);
  doOrRecord(stream, [=] { own->clock = clockOfCard; });
  *own = {stream, streams[stream].asked, 0, busyUntil};
  return 0;
}
// A card is asked in vain as often as it has work to do.
int cuEventQuery(uint64_t event) {
  Turn turn(turns);
  const Event& own = *(Event*)event;
  Stream& stream = streams[own.stream];
  if (stream.done >= own.place) return now() < own.reached ? NOT_READY : lost;
  advance(stream, stream.done + 1);
  return lost ? lost : NOT_READY;
}
int cuEventSynchronize(uint64_t event) {
  Turn turn(turns);
  const Event& own = *(Event*)event;
  rest(own.reached);
  advance(streams[own.stream], own.place);
  return lost;
}
int cuEventElapsedTime(float* out, uint64_t start, uint64_t end) { return put(out, ((Event*)end)->clock - ((Event*)start)->clock); }
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
  lengthen(*(Graph*)graph);
  return put(out, (uint64_t) new Graph(*(Graph*)graph));
}
int cuGraphDestroy(uint64_t graph) { delete (Graph*)graph; return 0; }
int cuGraphExecDestroy(uint64_t graph) { return cuGraphDestroy(graph); }
int cuGraphLaunch(uint64_t graph, uint64_t stream) {
  if (!IS_IDLE) return doOrRecord(stream, [=] { launch(*(Graph*)graph); });
  keepBusy(*(Graph*)graph);
  return lost;
}

}  // extern "C"
