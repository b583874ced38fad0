/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPLE_H
#define SUPPLE_H

/*
 * The Supple player: plays .supple files. Bones in, coefficients out; on demand deformed vertices.
 *
 *   supple_asset*  what the file holds. Read only; any number of players and threads share it.
 *   supple_player* one character that moves. One thread at a time per player.
 *
 * A frame:
 *   for each object:  supple_player_set_bone_matrix(player, object, world matrix of its bone);
 *   supple_player_step(player, dt);
 *   upload supple_player_coefficients(player), or call supple_player_deform().
 *
 * Memory is taken when an asset is opened, a player created, handles reserved or light first set,
 * and nowhere else. No function throws, prints or exits. Matrices are 4 x 4, by columns (glTF,
 * OpenGL); quaternions are x y z w; time is in seconds. Axes are the file's (glTF: right-handed, y
 * up) and positions are in the character's world units; supple_open_options changes both.
 *
 * Every struct begins with its size, so that programs and players of different versions understand
 * each other. In C++ the member sets itself; in C write
 *   supple_wind wind = {.struct_size = sizeof wind};
 * The player never writes beyond the size, and fills what it does not know with 0. Members that a
 * program's older struct lacks have their default; those that an older player does not know are
 * ignored.
 */

#include <stddef.h>
#include <stdint.h>

#if defined(SUPPLE_SHARED) && defined(_WIN32)
#define SUPPLE_API __declspec(dllimport)
#elif defined(__GNUC__)
#define SUPPLE_API __attribute__((visibility("default")))
#else
#define SUPPLE_API
#endif

#ifdef __cplusplus
#define SUPPLE_SIZE_OF(type) = sizeof(type)
extern "C" {
#else
#define SUPPLE_SIZE_OF(type)
#endif

/* Of this header. */
#define SUPPLE_VERSION_MAJOR 0
#define SUPPLE_VERSION_MINOR 1
#define SUPPLE_VERSION_PATCH 0
#define SUPPLE_VERSION \
  (SUPPLE_VERSION_MAJOR * 65536 + SUPPLE_VERSION_MINOR * 256 + SUPPLE_VERSION_PATCH)

/* Of the player that runs: to compare with SUPPLE_VERSION, and to show ("0.1.0"). */
SUPPLE_API uint32_t supple_version(void);
SUPPLE_API const char* supple_version_text(void);

typedef struct supple_asset supple_asset;
typedef struct supple_player supple_player;

typedef enum supple_status {
  SUPPLE_OK = 0,
  SUPPLE_NOT_SUPPLE,    /* the bytes are not a .supple file */
  SUPPLE_NEWER_VERSION, /* written by a later version than this player reads */
  SUPPLE_TRUNCATED,     /* the file is longer than the bytes given */
  SUPPLE_DAMAGED,       /* a checksum or a number in the file is wrong */
  SUPPLE_MISALIGNED,    /* the bytes do not begin at a multiple of 16 */
  SUPPLE_OTHER_MESH,    /* made for another mesh */
  SUPPLE_OUT_OF_MEMORY,
  SUPPLE_BAD_ARGUMENT,  /* null, out of range, or not a number where one is needed */
  SUPPLE_BAD_TIME_STEP, /* 0, negative or not a number: nothing was stepped */
  SUPPLE_BAD_TRANSFORM, /* not finite or without volume: the last good one stays, and is counted */
  SUPPLE_OLDER_VERSION, /* the file's format is older than this player reads: bake it again */
  SUPPLE_UNSUPPORTED    /* the file requires something that this player does not know */
} supple_status;

/* A sentence in English; never null. */
SUPPLE_API const char* supple_status_text(supple_status status);

/* What exactly was wrong at the last call of this thread that did not answer SUPPLE_OK: which
 * argument, or which section, record and byte of a file. Never null. The text belongs to the thread
 * and changes with its next such call. */
SUPPLE_API const char* supple_error_detail(void);

/* ---- Assets ---------------------------------------------------------------------------------- */

/* Checks the file whole (checksums, ranges, sizes) and reads it in place: `bytes` must begin at a
 * multiple of 16 and outlive the asset. On failure *asset is null. */
SUPPLE_API supple_status supple_asset_open(const void* bytes, size_t size, supple_asset** asset);

/* Where memory comes from: a block of `size` bytes, aligned as malloc's, or null. */
typedef void* (*supple_allocate)(void* context, size_t size);
typedef void (*supple_release)(void* context, void* block);

/* An axis of the program's world. */
#define SUPPLE_AXIS_X 1
#define SUPPLE_AXIS_Y 2
#define SUPPLE_AXIS_Z 3
#define SUPPLE_AXIS_MINUS_X (-1)
#define SUPPLE_AXIS_MINUS_Y (-2)
#define SUPPLE_AXIS_MINUS_Z (-3)

/* How an asset and its players fit into a program. All zeros: as supple_asset_open has it. */
typedef struct supple_open_options {
  size_t struct_size SUPPLE_SIZE_OF(supple_open_options);
  /* For the asset and its players; both null: malloc and free. */
  supple_allocate allocate;
  supple_release release;
  void* memory_context;
  /* Which of the program's axes the file's x, y and z run along: SUPPLE_AXIS_*, or all 0: the same.
   * The file is glTF's: right-handed, y up, facing z. Unity has MINUS_X, Y, Z; Unreal X, Z, Y;
   * Blender X, Z, MINUS_Y, each after its usual import. They hold for all that goes in and comes
   * out, in the world as in bind space: bone and palette matrices (whose own axes are the program's
   * too), quaternions, gravity, wind, forces, handles, rest shapes, mode shapes, textures and
   * vertices. With axes other than the file's the asset keeps a copy of the shapes. */
  int32_t axis_x, axis_y, axis_z;
  /* Metres per unit of the program: 1, or 0.01 for centimetres. Positions, velocities,
   * accelerations and forces (kg times units per s^2) in the world are in such units, and so are
   * positions in bind space. 0: positions in the file's units, the rest in metres. Members that are
   * said to be in metres always are. */
  double metres_per_unit;
} supple_open_options;
/* The same with options; null: none. SUPPLE_BAD_ARGUMENT where they make no sense. */
SUPPLE_API supple_status supple_asset_open_with(const void* bytes, size_t size,
                                                const supple_open_options* options,
                                                supple_asset** asset);
/* After its players were destroyed. */
SUPPLE_API void supple_asset_close(supple_asset* asset);

typedef struct supple_asset_info {
  size_t struct_size SUPPLE_SIZE_OF(supple_asset_info);
  uint16_t version_major, version_minor; /* of the file */
  uint32_t vertex_count;                 /* of all parts of the mesh */
  uint32_t index_count;
  uint32_t part_count;
  uint32_t object_count;
  uint32_t mode_count;       /* of all objects: the number of coefficients */
  uint32_t encoding_bits;    /* 16 or 32 per number of a shape */
  uint32_t attachment_count; /* handles of shells that bones move */
  uint64_t mesh_hash;
  double metres_per_unit; /* of positions: the file's, or that of the options */
  const char* generator;
} supple_asset_info;
SUPPLE_API supple_status supple_asset_describe(const supple_asset* asset, supple_asset_info* info);

/* Vertices first_vertex .. first_vertex + vertex_count - 1 are those of a glTF primitive. */
typedef struct supple_part_info {
  size_t struct_size SUPPLE_SIZE_OF(supple_part_info);
  uint32_t mesh, primitive, first_vertex, vertex_count;
} supple_part_info;
SUPPLE_API supple_status supple_asset_part(const supple_asset* asset, uint32_t part,
                                           supple_part_info* info);

typedef enum supple_object_kind {
  SUPPLE_UNKNOWN_KIND = -1, /* of a later format: it does not move */
  SUPPLE_FLESH = 0,
  SUPPLE_SHELL = 1,
  SUPPLE_SCENE = 2
} supple_object_kind;

/* `node` and `joint` of an object without a bone. */
#define SUPPLE_NO_BONE 0xffffffffU

typedef struct supple_object_info {
  size_t struct_size SUPPLE_SIZE_OF(supple_object_info);
  const char* name;
  const char* bone;    /* name of the node that drives it; "": none does */
  uint32_t node;       /* its place among the glTF file's nodes */
  uint32_t joint;      /* its place in the skin */
  uint32_t first_mode; /* of its coefficients */
  uint32_t mode_count;
  int has_coriolis;
  double limit_metres; /* default soft clamp; 0: none */
  double mass_kg;
  supple_object_kind kind;
} supple_object_info;
SUPPLE_API supple_status supple_asset_object(const supple_asset* asset, uint32_t object,
                                             supple_object_info* info);
/* SUPPLE_BAD_ARGUMENT if there is none of that name. */
SUPPLE_API supple_status supple_asset_find_object(const supple_asset* asset, const char* name,
                                                  uint32_t* object);

typedef struct supple_mode_info {
  size_t struct_size SUPPLE_SIZE_OF(supple_mode_info);
  double frequency_hz;
  double damping;              /* xi: 1 is critical */
  double transfer[6];          /* H: alpha x y z, then acceleration x y z; in the file's axes */
  double centrifugal[6];       /* C: xx yy zz xy xz yz */
  double largest_displacement; /* metres at coefficient 1 */
  double share;                /* of the response to bone motion, 0..1 */
} supple_mode_info;
SUPPLE_API supple_status supple_asset_mode(const supple_asset* asset, uint32_t mode,
                                           supple_mode_info* info);

/* The hash that ties a file to its mesh: positions of all parts in order (x y z), as in the glTF
 * file, then triangle corners counted through all parts. */
SUPPLE_API uint64_t supple_mesh_hash(const float* positions, size_t vertex_count,
                                     const uint32_t* indices, size_t index_count);
/* SUPPLE_OK or SUPPLE_OTHER_MESH. */
SUPPLE_API supple_status supple_asset_check_mesh(const supple_asset* asset, uint64_t mesh_hash);

/* A mesh that tools have changed since the bake: compressed (Draco, meshopt), quantised, welded,
 * reordered, without unused nodes. Its vertices are matched by position, and where several coincide
 * by normal. */
typedef struct supple_mesh {
  size_t struct_size SUPPLE_SIZE_OF(supple_mesh);
  uint32_t primitive_count;   /* of the glTF file, or of what is drawn of it */
  const uint32_t* primitives; /* four numbers each: mesh, primitive, vertices, triangle corners */
  const float* positions;     /* x y z of their vertices, as in the file; normalised integers as
                                 fractions. The file's axes, as for supple_mesh_hash */
  const float* normals;       /* the same, 0 0 0: none; null: none at all */
  const uint32_t* indices;    /* triangle corners, counted from 0 in each primitive */
  const uint32_t* nodes;      /* glTF nodes of objects, then of attachments; null: as in the file */
} supple_mesh;

typedef struct supple_match_info {
  size_t struct_size SUPPLE_SIZE_OF(supple_match_info);
  uint32_t vertex_count; /* of the mesh now */
  uint32_t reordered;    /* vertices at another place in the list than when they were baked */
  uint32_t scaled_parts; /* parts whose mesh is in another scale: quantised ones */
  double distance;       /* the largest of a vertex from where it was, in the file's units */
} supple_match_info;

/* The asset for this mesh, with memory of its own, in the axes and units of `asset`, which may be
 * closed. `info` may be null. SUPPLE_OTHER_MESH: a part has vertices farther away than a thousandth
 * of the mesh's longest side, or the file was written before files had positions. */
SUPPLE_API supple_status supple_asset_rebind(const supple_asset* asset, const supple_mesh* mesh,
                                             supple_match_info* info, supple_asset** rebound);
/* The file that an asset reads, valid while the asset is open; null where an argument is. */
SUPPLE_API const void* supple_asset_bytes(const supple_asset* asset, size_t* size);

/* The shape of a mode on all vertices: displacement and normal correction (of a shell: turn, as a
 * rotation vector) in bind space at coefficient 1, three floats per vertex each; either may be
 * null. */
SUPPLE_API supple_status supple_asset_mode_shape(const supple_asset* asset, uint32_t mode,
                                                 float* displacements, float* normals);

/* ---- Players --------------------------------------------------------------------------------- */

/* With the memory and in the units and axes of its asset, which must outlive it. */
SUPPLE_API supple_status supple_player_create(const supple_asset* asset, supple_player** player);
SUPPLE_API void supple_player_destroy(supple_player* player);

/* Where the bone of an object is now: the node's world matrix (its scale is ignored). Takes effect
 * at the next step; an object whose bone is not set again stays where it was. An object without a
 * bone stands in the world as it was baked until this moves it. */
SUPPLE_API supple_status supple_player_set_bone_matrix(supple_player* player, uint32_t object,
                                                       const float matrix[16]);
SUPPLE_API supple_status supple_player_set_bone_pose(supple_player* player, uint32_t object,
                                                     const double position[3],
                                                     const double rotation[4]);

/* How the bone of an object moves at the pose set last, for an object that appears in motion: a
 * character that enters running, a recording that begins in mid-air. It holds for the object's
 * first step, after it was created or reset: the object starts where these accelerations hold it,
 * and the motion that follows begins without a jolt. Without it an object starts at rest and takes
 * the velocity of its first two poses. World axes: m/s and m/s^2 (or units of the options), rad/s
 * and rad/s^2; null: 0. */
SUPPLE_API supple_status supple_player_set_bone_motion(supple_player* player, uint32_t object,
                                                       const double velocity[3],
                                                       const double acceleration[3],
                                                       const double spin[3],
                                                       const double angular_acceleration[3]);

/* Advances by dt seconds, any dt. A step longer than 0.25 s is a pause: the flesh comes to rest as
 * it would, and the bone's motion in between does not excite it. A bone that jumps too far or turns
 * about (see teleport_speed) resets its object. */
SUPPLE_API supple_status supple_player_step(supple_player* player, double dt);

/* mode_count numbers, valid until the player is destroyed; they change with every step. */
SUPPLE_API const float* supple_player_coefficients(const supple_player* player);

/* At rest, and without a past: what the next step sees first is where the bones are. */
SUPPLE_API void supple_player_reset(supple_player* player);
SUPPLE_API supple_status supple_player_reset_object(supple_player* player, uint32_t object);

/* Force in newtons, in world axes, on a vertex, during the next step; pushes add up. */
SUPPLE_API supple_status supple_player_push(supple_player* player, uint32_t vertex,
                                            const double force[3]);

/* Metres per second squared, world axes; (0, -9.81, 0) at first, down the file's y axis. The bind
 * pose sags already: only the change of gravity's direction in the bone's frame acts. */
SUPPLE_API supple_status supple_player_set_gravity(supple_player* player, const double gravity[3]);

typedef struct supple_object_settings {
  size_t struct_size SUPPLE_SIZE_OF(supple_object_settings);
  int enabled;             /* 0: coefficients are 0 and cost nothing */
  double gain;             /* 1: as physics says */
  double limit_metres;     /* soft clamp: about how far a vertex may move; 0: none */
  uint32_t modes;          /* level of detail: only the first so many move */
  double max_acceleration; /* m/s^2: harder jerks are cut to this length; 0: none */
  double max_spin;         /* rad/s: the same for angular velocity in the centrifugal term */
  double teleport_speed;   /* m/s: faster is a jump, and so is a half turn in a step; 0: never */
  int coriolis;            /* 0: leave the term out even if the file has it */
  double stiffness;        /* times the file's: 4 doubles the frequencies */
  double damping;          /* times the file's damping ratios */
  int warp;                /* shells: SUPPLE_WARP_* */
  double area_bound;       /* shells: part by which areas may change, root mean square; 0: any */
  double turn_bound;       /* shells: radians by which a vertex may turn; 0: any */
} supple_object_settings;
SUPPLE_API supple_status supple_player_get_settings(const supple_player* player, uint32_t object,
                                                    supple_object_settings* settings);
SUPPLE_API supple_status supple_player_set_settings(supple_player* player, uint32_t object,
                                                    const supple_object_settings* settings);

/* How a shell is drawn, so that pushes, handles and bounds act on the shape that is seen: plain
 * linear modes, for comparison, which know no bound; modal warping, the default; or warping for the
 * GPU while the program draws by supple_player_rotation_strain: then handles hold the vertices that
 * the latter gives (SUPPLE_BAD_ARGUMENT where the file lacks the solve or the nodes at rest). */
#define SUPPLE_WARP_LINEAR 0
#define SUPPLE_WARP_WARPED 1
#define SUPPLE_WARP_ROTATION_STRAIN 2

/* What went wrong so far, counted. */
typedef struct supple_diagnostics {
  size_t struct_size SUPPLE_SIZE_OF(supple_diagnostics);
  uint64_t steps;
  uint64_t bad_transforms;
  uint64_t bad_time_steps;
  uint64_t pauses;
  uint64_t teleports; /* bones that jumped: see teleport_speed */
  uint64_t clamped_accelerations;
  uint64_t bad_forces;     /* of a force field: not finite */
  uint64_t numeric_resets; /* objects put to rest because a coefficient was beyond all numbers */
} supple_diagnostics;
SUPPLE_API supple_status supple_player_diagnose(const supple_player* player,
                                                supple_diagnostics* diagnostics);

/* ---- Shells ---------------------------------------------------------------------------------- */

/* Thin shells by modal warping [CWK07]: the modal sum gives each vertex a displacement p and a turn
 * w, and the vertex is drawn at rest + Rt(w) p; docs/shells.md has the equations. A shell moves
 * with its bone as flesh does, feels gravity whole (unless it was modelled under gravity), pushes,
 * wind and force fields, and can be held by handles. */
typedef struct supple_shell_info {
  size_t struct_size SUPPLE_SIZE_OF(supple_shell_info);
  uint32_t point_count;      /* where distributed forces are sampled */
  uint32_t first_attachment; /* of its handles that bones move */
  uint32_t attachment_count;
  int modelled_under_gravity; /* the rest shape sags already */
  int has_rotation_strain;    /* supple_player_rotation_strain works */
  double size_metres;         /* diagonal of the rest shape */
  double follow_turn;         /* radians: a larger turn is beyond what rest modes follow */
  double point_error;         /* of sampled forces, relative, as the bake measured */
  double medium_density;      /* kg/m^3 of what it was baked for, such as water; 0: none */
} supple_shell_info;
/* SUPPLE_BAD_ARGUMENT where the object is flesh. */
SUPPLE_API supple_status supple_asset_shell(const supple_asset* asset, uint32_t object,
                                            supple_shell_info* info);

/* Components of handles: bits, in world axes. */
#define SUPPLE_HANDLE_X 1U
#define SUPPLE_HANDLE_Y 2U
#define SUPPLE_HANDLE_Z 4U
#define SUPPLE_HANDLE_POSITION 7U
#define SUPPLE_HANDLE_TURN_X 8U
#define SUPPLE_HANDLE_TURN_Y 16U
#define SUPPLE_HANDLE_TURN_Z 32U
#define SUPPLE_HANDLE_ORIENTATION 56U

/* A handle that the file ties to a bone. */
typedef struct supple_attachment_info {
  size_t struct_size SUPPLE_SIZE_OF(supple_attachment_info);
  uint32_t object;
  uint32_t vertex;
  uint32_t components; /* SUPPLE_HANDLE_* */
  uint32_t node;       /* the bone's place among the glTF file's nodes */
  const char* bone;
  double stiffness; /* N/m; 0: hard */
} supple_attachment_info;
SUPPLE_API supple_status supple_asset_attachment(const supple_asset* asset, uint32_t attachment,
                                                 supple_attachment_info* info);

/* Where the attachment's bone is now: the node's world matrix. It holds from the first call on,
 * until it is released. */
SUPPLE_API supple_status supple_player_set_attachment_matrix(supple_player* player,
                                                             uint32_t attachment,
                                                             const float matrix[16]);
SUPPLE_API supple_status supple_player_release_attachment(supple_player* player,
                                                          uint32_t attachment);

/* A handle of the program's own, such as the mouse. It holds until it is changed or removed. While
 * any handle holds a shell, that shell is stepped implicitly (stable at any dt); without, by the
 * exact filter. Handles that contradict each other are met in the sense of least squares. One that
 * wants the shell beyond its bounds gives way; supple_handle_state tells by how much. */
typedef struct supple_handle {
  size_t struct_size SUPPLE_SIZE_OF(supple_handle);
  uint32_t vertex;       /* of a shell, not fixed */
  uint32_t components;   /* SUPPLE_HANDLE_*, at least one */
  float rest[3];         /* the vertex's rest position, in bind space: the file has none */
  double position[3];    /* where it shall be: world units */
  double orientation[4]; /* x y z w: what its axes (bind axes at rest) shall be in the world */
  double stiffness;      /* N/m, for turns times the square of half the shell's size; 0: hard;
                            SUPPLE_HAND: a spring that gives way, chosen for the vertex */
  double max_force;      /* N: the spring pulls no harder; 0: any force */
} supple_handle;
/* As the stiffness of a handle: what a hand or a mouse should be. It bends the shell as far as its
 * bound and lifts its weight, but no more: it lags behind a target that cannot be reached. */
#define SUPPLE_HAND (-1.0)
/* SUPPLE_BAD_ARGUMENT: no such slot, a vertex of no shell or one that is fixed, no component, a
 * number that is not finite, a negative stiffness. There are 16 slots at first. */
SUPPLE_API supple_status supple_player_set_handle(supple_player* player, uint32_t slot,
                                                  const supple_handle* handle);
SUPPLE_API supple_status supple_player_remove_handle(supple_player* player, uint32_t slot);
/* Takes memory for so many slots; those that are in use stay. */
SUPPLE_API supple_status supple_player_reserve_handles(supple_player* player, uint32_t slots);

/* How far from its target a handle is after the last step. */
typedef struct supple_handle_state {
  size_t struct_size SUPPLE_SIZE_OF(supple_handle_state);
  int active;
  double position_error; /* metres, over the components it holds */
  double turn_error;     /* radians */
} supple_handle_state;
SUPPLE_API supple_status supple_player_handle_state(const supple_player* player, uint32_t slot,
                                                    supple_handle_state* state);
SUPPLE_API supple_status supple_player_attachment_state(const supple_player* player,
                                                        uint32_t attachment,
                                                        supple_handle_state* state);

/* How a shell is doing. */
typedef struct supple_shell_state {
  size_t struct_size SUPPLE_SIZE_OF(supple_shell_state);
  double largest_turn;    /* radians, over its force points */
  double beyond;          /* largest_turn / follow_turn: above 1 the shape is not to be trusted */
  double handle_residual; /* metres: of the hard handle that misses most, turns times size / 2 */
  double strained;        /* part of its bounds that it has reached, 0 to 1; see area_bound */
} supple_shell_state;
SUPPLE_API supple_status supple_player_shell_state(const supple_player* player, uint32_t object,
                                                   supple_shell_state* state);

/* Where a vertex of a shell is now. `rest` is its rest position, in bind space; `position` comes in
 * world units, `orientation` (x y z w) as in supple_handle. Either may be null. */
SUPPLE_API supple_status supple_player_vertex(const supple_player* player, uint32_t vertex,
                                              const float rest[3], double position[3],
                                              double orientation[4]);

/* The air or water around shells. A point of a shell with area vector a (m^2) feels
 * density * |v_n| * v_n * a on its surface, v_n the relative speed across it: a medium at rest
 * brakes, and pushes a shell that its bone moves. */
#define SUPPLE_MEDIUM_AS_BAKED (-1.0)
typedef struct supple_wind {
  size_t struct_size SUPPLE_SIZE_OF(supple_wind);
  double velocity[3]; /* m/s, world axes; 0: at rest */
  double gusts;       /* 0 steady; 1: between 0 and twice the velocity */
  double gust_size;   /* metres (or units of the options) from gust to gust, > 0 */
  double density;     /* kg/m^3; 1.2 for air, 1000 for water; 0: none. SUPPLE_MEDIUM_AS_BAKED, as it
                         is at first: what each shell was baked for, and where that is nothing, air
                         if the velocity is not 0 */
} supple_wind;
SUPPLE_API supple_status supple_player_set_wind(supple_player* player, const supple_wind* wind);

/* Any other forces: called once per step and shell with its force points, and more often while a
 * shell comes to rest (first step, pause, teleport). Arrays of `count` times three doubles in world
 * axes, metres and m/s (or units of the options); masses in kg; `forces` comes zeroed, in newtons
 * (or kg units per s^2). Null: none. Forces that are not finite are dropped and counted
 * (bad_forces). */
typedef void (*supple_force_field)(void* context, double time, uint32_t object, uint32_t count,
                                   const double* positions, const double* velocities,
                                   const double* masses, double* forces);
SUPPLE_API supple_status supple_player_set_force_field(supple_player* player,
                                                       supple_force_field field, void* context);

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* Scenes replay what a simulator did [JF03]: the answers (responses) to a palette of impulses, from
 * many states. A trigger goes over to the nearest response; what is left of the difference in
 * position and velocity dies out smoothly. docs/scenes.md has the method. */
typedef struct supple_scene_info {
  size_t struct_size SUPPLE_SIZE_OF(supple_scene_info);
  uint32_t entry_count; /* of the palette, at most 64 */
  uint32_t response_count;
  uint32_t state_count;
  double frame_seconds; /* between states */
} supple_scene_info;
/* SUPPLE_BAD_ARGUMENT where the object is not a scene; the same for all that follows. */
SUPPLE_API supple_status supple_asset_scene(const supple_asset* asset, uint32_t object,
                                            supple_scene_info* info);

typedef struct supple_entry_info {
  size_t struct_size SUPPLE_SIZE_OF(supple_entry_info);
  const char* name;
  const char* key;           /* of a keyboard; "": none */
  double weakest, strongest; /* strengths that were sampled; others are brought to these */
  uint64_t followed_by;      /* bit e: entry e may act next */
  int from_rest;             /* it may be the first */
} supple_entry_info;
SUPPLE_API supple_status supple_asset_scene_entry(const supple_asset* asset, uint32_t object,
                                                  uint32_t entry, supple_entry_info* info);

/* A response of the portrait: states one frame apart, the first of them before the impulse acts. */
typedef struct supple_response_info {
  size_t struct_size SUPPLE_SIZE_OF(supple_response_info);
  uint32_t entry; /* of the palette, that it answers */
  uint32_t first_state, state_count;
  int rests; /* its last state is at rest */
  double strength;
} supple_response_info;
SUPPLE_API supple_status supple_asset_scene_response(const supple_asset* asset, uint32_t object,
                                                     uint32_t response, supple_response_info* info);

/* The coefficients of `count` states from `first` on, to draw the portrait: as many numbers each as
 * the object has modes. */
SUPPLE_API supple_status supple_asset_scene_states(const supple_asset* asset, uint32_t object,
                                                   uint32_t first, uint32_t count,
                                                   float* coefficients);

/* Lets an entry act now; strength 1 is its own. SUPPLE_BAD_ARGUMENT, and nothing happens, where the
 * rules of the palette do not allow it (see `allowed`). */
SUPPLE_API supple_status supple_player_trigger(supple_player* player, uint32_t object,
                                               uint32_t entry, double strength);

/* Where in its portrait a scene is. */
typedef struct supple_scene_state {
  size_t struct_size SUPPLE_SIZE_OF(supple_scene_state);
  uint64_t allowed;  /* bit e: entry e may act now */
  uint32_t entry;    /* that acted last, or SUPPLE_NO_ENTRY */
  uint32_t response; /* that is replayed, or SUPPLE_NO_ENTRY: at rest as it began */
  double frame;      /* of the response, with its fraction */
  int at_rest;
  double off;        /* how far from the samples: distance in phase space, of the portrait's size */
  double last_blend; /* the same distance at the last transition */
  uint64_t transitions;
} supple_scene_state;
#define SUPPLE_NO_ENTRY 0xffffffffU
SUPPLE_API supple_status supple_player_scene_state(const supple_player* player, uint32_t object,
                                                   supple_scene_state* state);

/* How differences at transitions die out: position and velocity together, critically damped, so
 * that nothing jumps; or as in the paper [JF03 eq. 12], whose velocity jumps, for comparison. */
#define SUPPLE_BLEND_SMOOTH 0
#define SUPPLE_BLEND_PAPER 1
typedef struct supple_scene_settings {
  size_t struct_size SUPPLE_SIZE_OF(supple_scene_settings);
  double half_life; /* s; from 1e-6 to 1e6 */
  int blend;        /* SUPPLE_BLEND_* */
} supple_scene_settings;
SUPPLE_API supple_status supple_player_get_scene_settings(const supple_player* player,
                                                          uint32_t object,
                                                          supple_scene_settings* settings);
SUPPLE_API supple_status supple_player_set_scene_settings(supple_player* player, uint32_t object,
                                                          const supple_scene_settings* settings);

/* ---- Light ----------------------------------------------------------------------------------- */

/* A file may hold how its vertices answer light from far away, with the shadows that they cast on
 * each other and the light that goes back and forth between them, whatever their shape is now [JF03
 * section 4]: colours are C_0 + sum a_k C_k, where the C_k follow from the light and the appearance
 * coordinates a_k from the coefficients. docs/lighting.md has the method. */
typedef struct supple_light_info {
  size_t struct_size SUPPLE_SIZE_OF(supple_light_info);
  uint32_t order;        /* bands of spherical harmonics: order^2 coefficients for each colour */
  uint32_t sides;        /* 2: front and back of sheets have colours of their own */
  uint32_t rank;         /* appearance coordinates */
  uint32_t dimensions;   /* coefficients that appearance depends on */
  uint32_t centre_count; /* shapes that it was interpolated from */
  double relative_error; /* of the transfer at the shapes that were computed, all together */
  double held_out_error; /* at others; 0: not measured */
} supple_light_info;
/* SUPPLE_BAD_ARGUMENT where the file has no light; the same for all that follows. */
SUPPLE_API supple_status supple_asset_light(const supple_asset* asset, supple_light_info* info);

/* `rank` appearance coordinates: at any coefficients (as many as the file has modes), or as the
 * player is after the last step. */
SUPPLE_API supple_status supple_asset_appearance(const supple_asset* asset,
                                                 const float* coefficients, float* appearance);
SUPPLE_API supple_status supple_player_appearance(const supple_player* player, float* appearance);

/* Radiance that comes from each direction of the world, in spherical harmonics (real, without the
 * sign of Condon and Shortley, index l (l + 1) + m, z the polar axis): red, green and blue of each
 * coefficient. `count` is 3 times the square of 1 to 6 bands; bands that the file lacks are left
 * out. The first call takes memory. */
SUPPLE_API supple_status supple_player_set_light(supple_player* player, const float* coefficients,
                                                 uint32_t count);

/* Three floats per vertex at the given stride in bytes (12 if packed; 0 means 12). These two have
 * no size: they stay as they are. */
typedef struct supple_stream_in {
  const float* data; /* null: absent */
  size_t stride;
} supple_stream_in;
typedef struct supple_stream_out {
  float* data; /* null: not wanted */
  size_t stride;
} supple_stream_out;

/* Where colours go: linear red, green and blue of each vertex, at least 0. `back` needs a file with
 * two sides; either may be null. */
typedef struct supple_shading {
  size_t struct_size SUPPLE_SIZE_OF(supple_shading);
  supple_stream_out front, back;
  uint32_t first_vertex; /* a range, a multiple of 16 at its begin; */
  uint32_t vertex_count; /* 0: to the end */
} supple_shading;

/* Light as set last, on the shape after the last step. A vertex that turns with a bone sees the
 * light turn the other way. */
SUPPLE_API supple_status supple_player_shade(supple_player* player, const supple_shading* shading);

/* ---- Vertices on the GPU --------------------------------------------------------------------- */

/* What the chunks of runtime/shaders read; docs/shaders.md draws it. Shapes are texels of four
 * numbers, RGBA16I or (encoding_bits 32) RGBA32F, three for each pair of modes and two for a single
 * last one: (p0 x y z, n0 x) (n0 y z, n1 y z) (p1 x y z, n1 x). The table has one RGBA32UI texel
 * for every 16 vertices: first shape texel, first coefficient texel, modes (of a shell: plus
 * 0x80000000), and the table texel of the next object that moves the same vertices, or 0. Texel t
 * of vertex v is first + 16 t + v % 16. Coefficients are one RGBA32F texel for each pair of modes:
 * (c0 p, c0 n, c1 p, c1 n), each with the scale of its shape multiplied in. */
typedef struct supple_gpu_layout {
  size_t struct_size SUPPLE_SIZE_OF(supple_gpu_layout);
  uint32_t width;              /* of the shape and table textures: texel i is at i % width, ... */
  uint32_t shape_height;       /* ... (i / width) % shape_height, i / (width * shape_height) */
  uint32_t shape_layers;       /* of a 2D array */
  uint32_t table_height;       /* of a 2D texture */
  uint32_t coefficient_texels; /* a row per player */
  uint32_t attributes;         /* vertex attributes of four numbers that hold the same; 0: does not
                                  fit (more than five modes an object, or two objects on a vertex) */
} supple_gpu_layout;
SUPPLE_API supple_status supple_asset_gpu_layout(const supple_asset* asset,
                                                 supple_gpu_layout* layout);
/* Whole textures, padding set to 0: 4 * width * shape_height * shape_layers int16 or float numbers,
 * 4 * width * table_height numbers. Either may be null. */
SUPPLE_API supple_status supple_asset_gpu_textures(const supple_asset* asset, void* shapes,
                                                   uint32_t* table);
/* `attributes` vectors of four int16 or float numbers for each of vertex_count vertices from
 * first_vertex on: the texels of the vertex in order; the third number of the last one is its first
 * coefficient texel, the fourth 1 where it belongs to a shell. SUPPLE_BAD_ARGUMENT where the layout
 * says 0. */
SUPPLE_API supple_status supple_asset_gpu_attributes(const supple_asset* asset,
                                                     uint32_t first_vertex, uint32_t vertex_count,
                                                     void* vectors);
/* 4 * coefficient_texels numbers. */
SUPPLE_API supple_status supple_player_gpu_coefficients(const supple_player* player, float* texels);
/* The same for mode_count coefficients from elsewhere: recorded ones, or one mode alone. */
SUPPLE_API supple_status supple_asset_gpu_coefficients(const supple_asset* asset,
                                                       const float* coefficients, float* texels);

/* ---- Vertices on the CPU --------------------------------------------------------------------- */

/* The rest shape of all vertices and where the deformed one goes. Outputs may not overlap inputs.
 * Normals are needed for normal output; tangents (x y z; the caller keeps the fourth number) also
 * need normals. */
typedef struct supple_deformation {
  size_t struct_size SUPPLE_SIZE_OF(supple_deformation);
  supple_stream_in rest_positions, rest_normals, rest_tangents;
  supple_stream_out positions, normals, tangents;
  /* Matrix-palette skinning after the modal sum; palette null: none. */
  const float* palette; /* joint_count matrices: world * inverse bind */
  uint32_t joint_count;
  uint32_t influences;    /* 4 or 8 per vertex */
  const uint16_t* joints; /* influences per vertex */
  const float* weights;   /* influences per vertex, each sum 1 */
  uint32_t first_vertex;  /* a range, a multiple of 16 at its begin; */
  uint32_t vertex_count;  /* 0: to the end */
} supple_deformation;

/* Position = rest + sum of coefficient * shape, normals likewise and made unit again; shells are
 * warped (see above); then skinning [JP02 4.2]. Different threads may deform different ranges of
 * one player between two steps. */
SUPPLE_API supple_status supple_player_deform(const supple_player* player,
                                              const supple_deformation* deformation);

/* The shell's vertices by rotation-strain coordinates instead of warping: every triangle's strained
 * edges turned by its own rotation, then one prefactored solve; keeps areas where warping shrinks
 * them. Reads rest positions and writes positions of all vertices of the asset that the object
 * moves, in bind space. SUPPLE_BAD_ARGUMENT where has_rotation_strain is 0. */
SUPPLE_API supple_status supple_player_rotation_strain(supple_player* player, uint32_t object,
                                                       const supple_stream_in* rest_positions,
                                                       const supple_stream_out* positions);

#ifdef __cplusplus
}
#endif

#endif
