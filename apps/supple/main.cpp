// SPDX-License-Identifier: Apache-2.0
#include "application.hpp"

int main(int argc, char** argv) {
  return supple::app::run(argc, argv);
}
