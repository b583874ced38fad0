// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/tri_mesh.hpp"
