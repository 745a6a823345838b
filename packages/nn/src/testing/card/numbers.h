// Numbers of the libraries: float32, or 16 bits.
#pragma once
#include "common.h"

namespace {

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

// Whether the libraries have an algorithm; without one, plain kernels do all the work. How often one did some, and whether that breaks the card.
int hasAlgorithms = 0;
int calls = 0;
int breaks = 0;

// An algorithm is used.
void called() {
  calls++;
  if (breaks) lost = breaks;
}

}  // namespace
