// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/tet_mesh.hpp"
