// SPDX-License-Identifier: Apache-2.0
#include "detail.hpp"

namespace supple::player {
namespace {

/// Beyond the longest sentence with the longest name that is worth showing.
constexpr std::size_t kLongestDetail = 240;

/// Of the thread, so that an error needs no lock, no memory and no object to belong to.
thread_local char t_detail[kLongestDetail + 1];
thread_local std::size_t t_length;

void append(char letter) {
  if (t_length == kLongestDetail) return;
  t_detail[t_length++] = letter;
  t_detail[t_length] = '\0';
}

}  // namespace

Detail::Detail(const char* words) {
  t_length = 0;
  t_detail[0] = '\0';
  *this << words;
}

// NOLINTBEGIN(readability-convert-member-functions-to-static): reads like the stream it is
Detail& Detail::operator<<(const char* words) {
  for (; *words != '\0'; ++words) append(*words);
  return *this;
}

Detail& Detail::operator<<(std::uint64_t number) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  while (count > 0) append(digits[--count]);
  return *this;
}
// NOLINTEND(readability-convert-member-functions-to-static)

bool refuse(const char* words) {
  const Detail detail(words);
  return false;
}

supple_status bad_argument(const char* words) {
  const Detail detail(words);
  return SUPPLE_BAD_ARGUMENT;
}

bool refuse_null(const char* name) {
  Detail(name) << " is null";
  return false;
}

bool refuse_number(const char* what, std::uint32_t index, std::uint32_t count) {
  Detail("there is no ") << what << " " << index << "; the file has " << count;
  return false;
}

}  // namespace supple::player

extern "C" const char* supple_error_detail(void) {
  return supple::player::t_detail;
}
