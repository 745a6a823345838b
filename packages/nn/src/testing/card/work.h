// Work: in its stream, or recorded with what it must wait for.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>
#include "common.h"

namespace {

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
thread_local Recording* recording;

// What was asked of a stream and is not done yet: nothing is done before somebody asks how far it is, or waits.
struct Stream {
  std::deque<std::function<void()>> open;
  uint64_t asked = 0, done = 0;
};
std::map<uint64_t, Stream> streams;

void advance(Stream& stream, uint64_t until) {
  for (; stream.done < until && !lost; stream.done++) {
    const auto work = std::move(stream.open.front());
    stream.open.pop_front();
    work();
  }
}

// Ends all work, as whoever frees memory must.
void finish() {
  Turn turn(turns);
  for (auto& each : streams) advance(each.second, each.second.asked);
}

int doOrRecord(uint64_t stream, std::function<void()> work) {
  if (!recording) {
    Turn turn(turns);
    if (IS_IDLE) return lost;
    streams[stream].open.push_back(std::move(work));
    streams[stream].asked++;
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

}  // namespace
