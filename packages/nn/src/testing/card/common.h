// What the calls of a card have in common.
#pragma once
#include <stdint.h>
#include <cstring>
#include <mutex>

namespace {

enum { INVALID = 1, NO_MEMORY = 2, NOT_FOUND = 500, NOT_READY = 600, LOST = 719 };

#ifdef IDLE
constexpr bool IS_IDLE = true;
#else
constexpr bool IS_IDLE = false;
#endif

// Set when the card is lost: every call that waits for work then says so.
int lost = 0;

template <class T> int put(void* place, T value) {
  memcpy(place, &value, sizeof value);
  return 0;
}

// Threads may share the card: what changes it is done by one at a time.
std::recursive_mutex turns;
using Turn = std::lock_guard<std::recursive_mutex>;

uint64_t handle() {
  Turn turn(turns);
  static uint64_t last = 4096;
  return last += 16;
}

}  // namespace
