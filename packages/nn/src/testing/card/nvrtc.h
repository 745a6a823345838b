// NVRTC: kernels are compiled as C++.
#pragma once
#include <elf.h>
#include <unistd.h>
#include <algorithm>
#include <fstream>
#include <string>
#include "kernels.h"

namespace {

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

}  // namespace

extern "C" {

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

}  // extern "C"
