// SPDX-License-Identifier: Apache-2.0
// A crowd: every vertex of an asset for many instances with their own coefficients, written to a
// buffer that is drawn from. GLSL ES 3.10; needs surface.glsl, with SUPPLE_SHELLS warping.glsl and
// with SUPPLE_SKIN skinning.glsl too.
// One thread is one vertex: it reads a shape once and adds it to the sums of SUPPLE_TILE instances,
// which live in registers. What remains are the bytes of the result, written in whole lines.
// docs/shaders.md has the arithmetic.
//
// The host defines
//   SUPPLE_THREADS  vertices of a workgroup, a multiple of 16
//   SUPPLE_TILE     instances that share one reading of the shapes: 1, 2, 4, 8 or 16
//   SUPPLE_REPEAT   tiles that a workgroup does in turn, while its shapes are in the nearest cache
//   SUPPLE_STAGE    a divisor of SUPPLE_TILE: so many instances are written together through shared
//                   memory, 16 bytes a thread; 0: each thread writes its own vertex
//   SUPPLE_COEFFICIENT_TEXELS  of a row, to keep those of a tile in shared memory; 0: do not
//   SUPPLE_FLOAT_SHAPES   as in modal_texture.glsl
//   SUPPLE_TANGENTS       the rest shape has tangents: nine numbers a vertex; SUPPLE_STAGE is 0
//   SUPPLE_SHELLS         there are shells among the objects
//   SUPPLE_SKIN           joints of a vertex: 4 or 8
// and dispatches (stride / SUPPLE_THREADS, instances / (SUPPLE_TILE * SUPPLE_REPEAT)) workgroups,
// both rounded up.

layout(local_size_x = SUPPLE_THREADS) in;

#ifdef SUPPLE_FLOAT_SHAPES
layout(std430, binding = 0) readonly restrict buffer supple_shape_buffer { vec4 supple_shapes[]; };
#else
layout(std430, binding = 0) readonly restrict buffer supple_shape_buffer { uvec2 supple_shapes[]; };
#endif
layout(std430, binding = 1) readonly restrict buffer supple_table_buffer { uvec4 supple_table[]; };
// Rows of supple_stride numbers: position x, y, z, normal x, y, z, tangent x, y, z (if any), then
// weights and joints (as numbers) of the skin, a row for each influence.
layout(std430, binding = 2) readonly restrict buffer supple_rest_buffer { float supple_rest[]; };
layout(std430, binding = 3) writeonly restrict buffer supple_vertex_buffer {
#if SUPPLE_STAGE
  vec4 supple_vertices[];
#else
  float supple_vertices[];
#endif
};
uniform highp sampler2D supple_coefficients;  // a row per instance
uniform uint supple_stride;                   // vertices of an instance, a multiple of 16
uniform uint supple_instances;

#ifdef SUPPLE_TANGENTS
#define SUPPLE_FLOATS 9u
#else
#define SUPPLE_FLOATS 6u
#endif

// M(0) M(1) ...: arrays that are indexed by constants alone stay in registers, whatever a compiler
// thinks of unrolling.
#define SUPPLE_EACH_1(M, i) M(i)
#define SUPPLE_EACH_2(M, i) SUPPLE_EACH_1(M, i) SUPPLE_EACH_1(M, i + 1)
#define SUPPLE_EACH_4(M, i) SUPPLE_EACH_2(M, i) SUPPLE_EACH_2(M, i + 2)
#define SUPPLE_EACH_8(M, i) SUPPLE_EACH_4(M, i) SUPPLE_EACH_4(M, i + 4)
#if SUPPLE_TILE == 1
#define SUPPLE_EACH(M) SUPPLE_EACH_1(M, 0)
#elif SUPPLE_TILE == 2
#define SUPPLE_EACH(M) SUPPLE_EACH_2(M, 0)
#elif SUPPLE_TILE == 4
#define SUPPLE_EACH(M) SUPPLE_EACH_4(M, 0)
#elif SUPPLE_TILE == 8
#define SUPPLE_EACH(M) SUPPLE_EACH_8(M, 0)
#else
#define SUPPLE_EACH(M) SUPPLE_EACH_8(M, 0) SUPPLE_EACH_8(M, 8)
#endif

vec4 supple_shape(uint texel) {
#ifdef SUPPLE_FLOAT_SHAPES
  return supple_shapes[texel];
#else
  ivec2 pairs = ivec2(supple_shapes[texel]);
  return vec4((pairs << 16) >> 16, pairs >> 16).xzyw;
#endif
}

#if SUPPLE_COEFFICIENT_TEXELS
shared vec4 supple_tile_coefficients[SUPPLE_TILE * SUPPLE_COEFFICIENT_TEXELS];

void supple_load_coefficients(uint first_instance) {
  barrier();  // the tile before has been read
  for (uint i = gl_LocalInvocationIndex; i < uint(SUPPLE_TILE * SUPPLE_COEFFICIENT_TEXELS);
       i += uint(SUPPLE_THREADS)) {
    uint instance = min(first_instance + i % uint(SUPPLE_TILE), supple_instances - 1u);
    supple_tile_coefficients[i] =
        texelFetch(supple_coefficients, ivec2(i / uint(SUPPLE_TILE), instance), 0);
  }
  memoryBarrierShared();
  barrier();
}

vec4 supple_coefficient(uint texel, uint i, uint first_instance) {
  return supple_tile_coefficients[texel * uint(SUPPLE_TILE) + i];
}
#else
void supple_load_coefficients(uint first_instance) {}

vec4 supple_coefficient(uint texel, uint i, uint first_instance) {
  uint instance = min(first_instance + i, supple_instances - 1u);
  return texelFetch(supple_coefficients, ivec2(texel, instance), 0);
}
#endif

vec3 supple_rest_vector(uint row, uint vertex) {
  uint i = row * supple_stride + vertex;
  return vec3(supple_rest[i], supple_rest[i + supple_stride], supple_rest[i + 2u * supple_stride]);
}

#ifdef SUPPLE_SKIN
vec4 supple_rest_four(uint row, uint vertex) {
  uint i = row * supple_stride + vertex;
  return vec4(supple_rest_vector(row, vertex), supple_rest[i + 3u * supple_stride]);
}

mat4 supple_vertex_blend(uint vertex, uint instance) {
  mat4 blend = mat4(0.0);
  for (uint i = 0u; i < uint(SUPPLE_SKIN); i += 4u) {
    vec4 weights = supple_rest_four(SUPPLE_FLOATS + i, vertex);
    vec4 joints = supple_rest_four(SUPPLE_FLOATS + uint(SUPPLE_SKIN) + i, vertex);
    blend += supple_blend(uvec4(joints), weights, int(instance));
  }
  return blend;
}
#endif

#ifdef SUPPLE_SHELLS
// The sums are a displacement and, of a shell, a turn or, of flesh, a normal's change. What is at
// rest is read once more, as it is needed once a tile is summed and not before.
void supple_surface(uint vertex, bool shell, inout vec3 position, inout vec3 normal,
                    out vec3 tangent) {
  vec3 displacement = position;
  vec3 sum = normal;
  position = supple_rest_vector(0u, vertex);
  normal = supple_rest_vector(3u, vertex);
#ifdef SUPPLE_TANGENTS
  tangent = supple_rest_vector(6u, vertex);
#else
  tangent = vec3(0.0);
#endif
  if (shell) {
    supple_warp(sum, displacement, normal, tangent);
    sum = vec3(0.0);
  }
  supple_displace(displacement, sum, position, normal, tangent);
}
#else
// The sums began with what is at rest.
void supple_surface(uint vertex, bool shell, inout vec3 position, inout vec3 normal,
                    out vec3 tangent) {
  tangent = vec3(0.0);
  normal = supple_unit(normal);
#ifdef SUPPLE_TANGENTS
  tangent = supple_turn_along(supple_unit(supple_rest_vector(3u, vertex)), normal,
                              supple_rest_vector(6u, vertex));
#endif
}
#endif

// From the modal sums of an instance to what is written.
void supple_finish(uint vertex, uint instance, bool shell, inout vec3 position, inout vec3 normal,
                   out vec3 tangent) {
  supple_surface(vertex, shell, position, normal, tangent);
#ifdef SUPPLE_SKIN
  supple_skin(supple_vertex_blend(vertex, min(instance, supple_instances - 1u)), position, normal,
              tangent);
#endif
}

#if SUPPLE_STAGE
// Pairs of numbers: 24 bytes from thread to thread, and no two of a half warp meet in a bank.
shared vec2 supple_stage[SUPPLE_STAGE * SUPPLE_THREADS * 3];

void supple_put(uint slot, vec3 position, vec3 normal) {
  uint i = (slot * uint(SUPPLE_THREADS) + gl_LocalInvocationIndex) * 3u;
  supple_stage[i] = position.xy;
  supple_stage[i + 1u] = vec2(position.z, normal.x);
  supple_stage[i + 2u] = normal.yz;
}

// Writes the staged instances, the first of which is `instance`.
void supple_flush(uint instance) {
  const uint quads = uint(SUPPLE_THREADS) * 3u / 2u;  // of 16 bytes, in a workgroup's instance
  uint instance_quads = supple_stride * 3u / 2u;
  uint first = gl_WorkGroupID.x * quads;
  memoryBarrierShared();
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < uint(SUPPLE_STAGE) * quads;
       i += uint(SUPPLE_THREADS)) {
    uint which = instance + i / quads;
    uint quad = first + i % quads;
    if (which < supple_instances && quad < instance_quads) {
      supple_vertices[which * instance_quads + quad] =
          vec4(supple_stage[2u * i], supple_stage[2u * i + 1u]);
    }
  }
  barrier();
}
#else
void supple_write(uint vertex, uint instance, vec3 position, vec3 normal, vec3 tangent) {
  if (vertex >= supple_stride || instance >= supple_instances) return;
  uint i = (instance * supple_stride + vertex) * SUPPLE_FLOATS;
  supple_vertices[i] = position.x;
  supple_vertices[i + 1u] = position.y;
  supple_vertices[i + 2u] = position.z;
  supple_vertices[i + 3u] = normal.x;
  supple_vertices[i + 4u] = normal.y;
  supple_vertices[i + 5u] = normal.z;
#ifdef SUPPLE_TANGENTS
  supple_vertices[i + 6u] = tangent.x;
  supple_vertices[i + 7u] = tangent.y;
  supple_vertices[i + 8u] = tangent.z;
#endif
}
#endif

void supple_tile(uint first_instance) {
  uint vertex = gl_GlobalInvocationID.x;
  uint known = min(vertex, supple_stride - 1u);  // the last workgroup may stick out
  supple_load_coefficients(first_instance);
  vec3 positions[SUPPLE_TILE];
  vec3 normals[SUPPLE_TILE];
  bool shell = false;
#ifdef SUPPLE_SHELLS
  vec3 position = vec3(0.0);
  vec3 normal = vec3(0.0);
#else
  vec3 position = supple_rest_vector(0u, known);
  vec3 normal = supple_rest_vector(3u, known);
#endif
#define SUPPLE_BEGIN(i)      \
  positions[i] = position; \
  normals[i] = normal;
  SUPPLE_EACH(SUPPLE_BEGIN)

  uint place = known / 16u;
  do {
    uvec4 entry = supple_table[place];
    uint shape = entry.x + known % 16u;
    uint texel = entry.y;
#ifdef SUPPLE_SHELLS
    // A block may hold vertices of others too: the shell's are those whose shapes are not all 0.
    bool of_shell = entry.z > 0x7fffffffu;
    entry.z &= 0x7fffffffu;
#endif
    for (uint mode = 0u; mode < entry.z; mode += 2u, shape += 48u, ++texel) {
      vec4 first = supple_shape(shape);
      vec4 middle = supple_shape(shape + 16u);
      vec4 second = mode + 1u < entry.z ? supple_shape(shape + 32u) : vec4(0.0);
#ifdef SUPPLE_SHELLS
      shell = shell || (of_shell && (first != vec4(0.0) || middle != vec4(0.0) ||
                                     second != vec4(0.0)));
#endif
      vec3 first_normal = vec3(first.w, middle.xy);
      vec3 second_normal = vec3(second.w, middle.zw);
      vec4 c;
#define SUPPLE_ADD(i)                                         \
  c = supple_coefficient(texel, uint(i), first_instance);     \
  positions[i] += c.x * first.xyz + c.z * second.xyz;         \
  normals[i] += c.y * first_normal + c.w * second_normal;
      SUPPLE_EACH(SUPPLE_ADD)
    }
    place = entry.w;
  } while (place != 0u);

  vec3 tangent;
#if SUPPLE_STAGE
#define SUPPLE_END(i)                                                                         \
  supple_finish(known, first_instance + uint(i), shell, positions[i], normals[i], tangent);   \
  supple_put(uint((i) % SUPPLE_STAGE), positions[i], normals[i]);                             \
  if ((i) % SUPPLE_STAGE == SUPPLE_STAGE - 1)                                                 \
    supple_flush(first_instance + uint(i) - uint(SUPPLE_STAGE - 1));
#else
#define SUPPLE_END(i)                                                                         \
  supple_finish(known, first_instance + uint(i), shell, positions[i], normals[i], tangent);   \
  supple_write(vertex, first_instance + uint(i), positions[i], normals[i], tangent);
#endif
  SUPPLE_EACH(SUPPLE_END)
}

void main() {
  uint first = gl_WorkGroupID.y * uint(SUPPLE_TILE * SUPPLE_REPEAT);
  for (uint repeat = 0u; repeat < uint(SUPPLE_REPEAT); ++repeat) {
    supple_tile(first + repeat * uint(SUPPLE_TILE));
  }
}
