// Memory: each piece between two borders.
#pragma once
#include <cstdlib>
#include <map>
#include "common.h"

namespace {

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
  if (bytes < LARGE) memset(start + BORDER, IS_IDLE ? 0 : 0xff, bytes);
  Turn turn(turns);
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
  Turn turn(turns);
  const auto piece = pieces.find(address);
  if (piece == pieces.end()) return INVALID;
  const bool whole = isWhole(address, piece->second);
  pieces.erase(piece);
  free((char*)address - BORDER);
  return whole ? 0 : LOST;
}

}  // namespace
