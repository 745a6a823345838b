// A card that does nothing, but takes as long as one that does.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>
#include "common.h"
#include "work.h"

namespace {

#ifndef IDLE
#define IDLE 0
#endif

// Works of the longest graph, for whose number the card is busy for IDLE microseconds.
size_t longest = 1;
// Microseconds by the clock of the processor.
std::atomic<double> busyUntil{0};
double busy = 0;

double now() { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void lengthen(const Graph& graph) {
  Turn turn(turns);
  longest = std::max(longest, graph.size());
}

// Graphs follow each other.
void keepBusy(const Graph& graph) {
  Turn turn(turns);
  const double time = double(IDLE) * graph.size() / longest;
  busyUntil = std::max(now(), busyUntil.load()) + time;
  busy += time;
}

void rest(double until) {
  while (now() < until) std::this_thread::yield();
}

// How long it was busy since this was asked last. From a new start on, the longest graph is one of those to come.
double busySince(bool isStart) {
  Turn turn(turns);
  if (isStart) longest = 1;
  return std::exchange(busy, 0);
}

}  // namespace
