// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// The bytes of a .supple file, shared by the writer (io) and the player; docs/format.md says the
/// same in words. Little-endian; every section begins at a multiple of 64 bytes, so that a file in
/// aligned memory is read in place.
namespace supple::format {

/// A byte that is not ASCII, a name, and a line end: a file mangled as text is seen at once.
inline constexpr std::array<unsigned char, 8> kMagic{0x89, 'S', 'U', 'P', 'P', 'L', 'E', '\n'};

/// Versions 1 and 2 had a table without flags and no kinds that a reader may pass over. A reader
/// refuses every other major version; files of an older one are baked again.
inline constexpr std::uint16_t kVersionMajor = 3;
inline constexpr std::uint16_t kVersionMinor = 0;

inline constexpr std::size_t kAlignment = 64;

/// Vertices are kept in blocks of this many, in the order of the mesh: one load of 16-bit numbers
/// fills the widest registers, and a block that no object moves costs nothing.
inline constexpr std::size_t kBlock = 16;

/// Numbers per vertex and mode: displacement x y z, and for flesh the normal correction x y z, for
/// shells the turn x y z (a row of Psi [CWK07 eq. 15]).
inline constexpr std::size_t kRows = 6;

inline constexpr std::uint32_t kNone = 0xffffffffU;

/// `flags` of sections and objects: a reader that does not know the section or the object's kind
/// refuses the file. Without the flag it passes over it.
inline constexpr std::uint16_t kRequired = 1;

/// Limits of a file, so that none costs its reader more than its size: sections, and bytes of a
/// text with its NUL.
inline constexpr std::uint32_t kMostSections = 64;
inline constexpr std::size_t kLongestText = 1024;
/// Of a shell: handles need a matrix of their square.
inline constexpr std::uint32_t kMostShellModes = 1024;

struct Header {
  std::array<unsigned char, 8> magic;
  std::uint16_t version_major;
  std::uint16_t version_minor;
  std::uint32_t section_count;
  std::uint64_t file_size;
  std::uint64_t checksum;  ///< xxh64 of header and section table with this field zero
  std::array<std::uint8_t, 32> reserved;
};
static_assert(sizeof(Header) == 64);

[[nodiscard]] constexpr std::uint32_t section_id(const char (&text)[5]) {
  return static_cast<std::uint32_t>(static_cast<unsigned char>(text[0])) |
         static_cast<std::uint32_t>(static_cast<unsigned char>(text[1])) << 8 |
         static_cast<std::uint32_t>(static_cast<unsigned char>(text[2])) << 16 |
         static_cast<std::uint32_t>(static_cast<unsigned char>(text[3])) << 24;
}

inline constexpr std::uint32_t kSummarySection = section_id("SUMM");   // one Summary
inline constexpr std::uint32_t kTextSection = section_id("TEXT");      // UTF-8, each ended by NUL
inline constexpr std::uint32_t kPartSection = section_id("PART");      // Part[part_count]
inline constexpr std::uint32_t kObjectSection = section_id("OBJE");    // Object[object_count]
inline constexpr std::uint32_t kModeSection = section_id("MODE");      // Mode[mode_count]
inline constexpr std::uint32_t kCoriolisSection = section_id("CORI");  // double[]; may be absent
inline constexpr std::uint32_t kBlockSection = section_id("BLOC");     // uint32[block_count + 1]
inline constexpr std::uint32_t kEntrySection = section_id("ENTR");     // Entry[entry_count]
inline constexpr std::uint32_t kShapeSection = section_id("SHAP");     // int16 or float rows

// These are there if an object is a shell, and only then. A new kind of object brings sections of
// its own in the same way: records that name their object, in the order of objects.
inline constexpr std::uint32_t kShellSection = section_id("SHEL");       // Shell[]
inline constexpr std::uint32_t kPointSection = section_id("POIN");       // float rows
inline constexpr std::uint32_t kAttachmentSection = section_id("ATTA");  // Attachment[]
inline constexpr std::uint32_t kStrainSection = section_id("RSTR");      // uint32[]; may be absent
inline constexpr std::uint32_t kFactorSection = section_id("FACT");      // double[]; with RSTR

inline constexpr std::uint32_t kMediumSection = section_id("MEDI");  // Medium[]; may be absent
/// float[]: three for each node of RSTR, shells in order: the node at rest, in the frame. May be
/// absent, with RSTR or without.
inline constexpr std::uint32_t kRestSection = section_id("REST");

// These are there if an object is a scene.
inline constexpr std::uint32_t kSceneSection = section_id("SCEN");     // Scene[]
inline constexpr std::uint32_t kPaletteSection = section_id("PALE");   // PaletteEntry[]
inline constexpr std::uint32_t kResponseSection = section_id("RESP");  // Response[]
inline constexpr std::uint32_t kStateSection = section_id("STAT");     // int16[]
inline constexpr std::uint32_t kPortraitSection = section_id("PORT");  // float[]
inline constexpr std::uint32_t kNextSection = section_id("NEXT");      // uint16[]

// These are there, all of them or none, if the file has light.
inline constexpr std::uint32_t kLightSection = section_id("LIGH");       // one Light
inline constexpr std::uint32_t kLightInputSection = section_id("LINP");  // LightInput[dimensions]
/// double[]: the centres, dimensions numbers each, then rank weights for each centre.
inline constexpr std::uint32_t kLightCentreSection = section_id("LCEN");
inline constexpr std::uint32_t kLightFrameSection = section_id("LFRA");  // uint16[vertex_count]
inline constexpr std::uint32_t kLightScaleSection = section_id("LSCA");  // float[transfer rows]
inline constexpr std::uint32_t kTransferSection = section_id("LTRA");    // int16 or float rows

// Only for meshes that were changed after the bake.
inline constexpr std::uint32_t kVertexSection = section_id("VERT");  // Vertex[]; may be absent

/// Space[part_count]. Absent: shapes of all parts are in the bind space of their objects.
inline constexpr std::uint32_t kSpaceSection = section_id("SPAC");

// Players pass over it: it is for baking again.
inline constexpr std::uint32_t kSettingsSection = section_id("SETT");  // JSON; may be absent

/// Follows the header, section_count times.
struct Section {
  std::uint32_t id;
  std::uint16_t version;  ///< of its contents, 0 so far; a reader refuses later ones
  std::uint16_t flags;    ///< kRequired or 0
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t checksum;  ///< xxh64 of the section's bytes, seed 0
};
static_assert(sizeof(Section) == 32);

enum class Encoding : std::uint32_t {
  Float32 = 0,
  Int16 = 1  ///< value = number * scale of its mode
};

struct Summary {
  /// xxh64, seed 0, of all positions (float32 x y z, parts in order) followed by all triangle
  /// corners (uint32, counted through all parts).
  std::uint64_t mesh_hash;
  std::uint32_t vertex_count;
  std::uint32_t index_count;
  std::uint32_t part_count;
  std::uint32_t object_count;
  std::uint32_t mode_count;  ///< of all objects together
  std::uint32_t block_count;
  std::uint32_t entry_count;
  Encoding encoding;
  double metres_per_unit;   ///< of the character's world space
  std::uint32_t generator;  ///< text
  std::uint32_t reserved;
};
static_assert(sizeof(Summary) == 56);

/// Which vertices come from which primitive of the glTF file.
struct Part {
  std::uint32_t mesh;
  std::uint32_t primitive;
  std::uint32_t first_vertex;
  std::uint32_t vertex_count;
};
static_assert(sizeof(Part) == 16);

/// A vertex of the mesh as it was baked, by which it is found again after tools have compressed or
/// reordered the mesh.
struct Vertex {
  std::array<float, 3> position;      ///< as in the glTF file
  std::array<std::int8_t, 3> normal;  ///< 127 is 1; zeros: unknown
  std::int8_t reserved;
};
static_assert(sizeof(Vertex) == 16);

/// The space in which a part's shapes are: that of its own vertices.
struct Space {
  /// 3 x 3 by rows: from that space to the bind space of pieces of flesh (Object::frame_from_bind).
  /// Shells are in the space of their part.
  std::array<double, 9> to_bind;
};
static_assert(sizeof(Space) == 72);

/// What an object is.
enum class Kind : std::uint16_t { Flesh = 0, Shell = 1, Scene = 2 };

/// An object without a bone: `bone`, `node` and `joint` are this. Its frame is the world.
inline constexpr std::uint32_t kNoBone = kNone;

/// A piece of flesh, a shell, or whatever its kind says, carried by one bone (or any node) or by
/// none. Its frame is the bone's: origin at the joint, the joint's axes without their scale,
/// metres.
struct Object {
  std::uint32_t name;   ///< text
  std::uint32_t bone;   ///< text: name of the node, or kNoBone
  std::uint32_t node;   ///< of the glTF file, or kNoBone
  std::uint32_t joint;  ///< place in the skin's list, or kNoBone
  std::uint32_t first_mode;
  std::uint32_t mode_count;
  std::uint32_t coriolis;  ///< first of its 3 * mode_count^2 numbers in CORI, or kNone
  Kind kind;
  std::uint16_t flags;                     ///< kRequired or 0
  std::array<double, 12> frame_from_bind;  ///< 3 x 4 by rows: bind-pose position to the frame
  std::array<double, 4> rest_rotation;     ///< x y z w: the frame's axes in the world at rest
  double limit;                            ///< metres: default of the soft clamp; 0: none
  double mass;                             ///< kg
};
static_assert(sizeof(Object) == 176);

/// One vibration, mass-normalised: displacement = q * shape.
struct Mode {
  double omega;    ///< rad/s, > 0
  double damping;  ///< xi, >= 0
  /// H: the modal force is H [alpha; a0 - (g - g_rest)] - C s.
  std::array<double, 6> transfer;
  /// C, for s = xx yy zz xy xz yz of S = w w^T - |w|^2 I.
  std::array<double, 6> centrifugal;
  float position_scale;        ///< of 16-bit displacements; 1 for floats
  float normal_scale;          ///< of 16-bit normal corrections or turns; 1 for floats
  float largest_displacement;  ///< metres at q = 1, over the vertices
  float share;                 ///< of the response to bone motion that this mode captures, 0..1
};
static_assert(sizeof(Mode) == 128);

/// What one object adds to one block: mode_count times kRows rows of kBlock numbers.
struct Entry {
  std::uint32_t object;
  std::uint32_t offset;  ///< in SHAP, in units of kAlignment bytes
};
static_assert(sizeof(Entry) == 8);

/// Rows of kBlock floats for kBlock force points, all in the frame: rest position x y z, mass,
/// area vector x y z (of the rest surface, m^2), lever x y z (kg m), then for each mode
/// displacement x y z and turn x y z. Points that fill up the last block have no mass, area or
/// lever.
inline constexpr std::size_t kPointRows = 10;

/// What a shell has beside its shapes; one for each object that is one, in the order of objects.
struct Shell {
  std::uint32_t object;
  std::uint32_t modelled_under_gravity;  ///< 1: the rest shape sags already, as flesh does
  std::uint32_t point_count;             ///< where distributed forces are sampled
  std::uint32_t first_point_row;         ///< in POIN, in rows of kBlock floats
  std::uint32_t first_attachment;        ///< shells follow each other
  std::uint32_t attachment_count;
  /// First of its numbers in RSTR, or kNone: counts of nodes, free nodes, triangles, factor entries
  /// and vertices, then the arrays of docs/format.md.
  std::uint32_t strain;
  std::uint32_t factor;  ///< first of its numbers in FACT, or kNone
  double size;           ///< metres: diagonal of the rest shape's box
  double follow_turn;    ///< radians: a larger turn is beyond what rest modes follow
  double point_error;    ///< of forces from points against all vertices, relative, as measured
};
static_assert(sizeof(Shell) == 56);

/// The phase portrait of a scene [JF03]; one for each object that is one, in the order of objects.
/// Its records in PALE, RESP, STAT, PORT and NEXT follow those of the scene before. The modes of a
/// scene have shapes and nothing else: the portrait says how their coefficients move.
///
/// - STAT: mode_count numbers for each state, times the scale of their mode.
/// - PORT: the scales, one for each mode, then for each response the mode_count velocities (per
///   second) at its origin, before its impulse.
/// - NEXT: entry_count numbers for each state, and once more for the scene at rest as it begins:
/// the
///   response that answers the entry there, or kNoResponse.
struct Scene {
  std::uint32_t object;
  std::uint32_t entry_count;
  std::uint32_t response_count;
  std::uint32_t state_count;  ///< of all its responses
  double frame_seconds;       ///< between states
  double half_life;           ///< s: of what is left of a transition; a default
  double beta;                ///< s^2: of squared velocities in distances [JF03 eq. 9]
  double size;                ///< the largest |q| of a state: distances are told relative to it
};
static_assert(sizeof(Scene) == 48);

/// Of a scene's frame and half-life, so that rates and what they lead to stay finite.
inline constexpr double kShortestSceneTime = 1e-6;  // s
inline constexpr double kLongestSceneTime = 1e6;    // s

[[nodiscard]] constexpr bool is_scene_time(double seconds) {
  return seconds >= kShortestSceneTime && seconds <= kLongestSceneTime;
}

inline constexpr std::uint16_t kNoResponse = 0xffff;
inline constexpr std::uint32_t kMostPaletteEntries = 64;

struct PaletteEntry {
  std::uint32_t name;         ///< text
  std::uint32_t key;          ///< text: of a keyboard; empty: none
  std::uint64_t followed_by;  ///< bit e: entry e may act next
  float weakest, strongest;   ///< strengths that were sampled
  std::uint32_t from_rest;    ///< 1: it may be the first
  std::uint32_t reserved;
};
static_assert(sizeof(PaletteEntry) == 32);

/// The answer to one impulse: states one frame apart, the first of them before the impulse acts.
struct Response {
  std::uint32_t first_state;  ///< of the scene's; responses follow each other
  std::uint32_t state_count;  ///< at least 2
  std::uint32_t entry;
  float strength;
  std::uint32_t rests;     ///< 1: its last state is at rest
  std::uint32_t stronger;  ///< the response to the next strength from the same origin, or kNone
  std::uint32_t onward;    ///< the response that goes on after its last state, or kNone
  std::uint32_t onward_frame;
};
static_assert(sizeof(Response) == 32);

inline constexpr std::uint32_t kMostLightOrder = 6;
inline constexpr std::uint32_t kMostLightRank = 64;
inline constexpr std::uint32_t kMostLightInputs = 1024;
inline constexpr std::uint32_t kMostLightCentres = 1024;

/// Numbers of light stay below these, so that no colour overflows.
inline constexpr double kLargestTransfer = 1e8;
inline constexpr double kLargestTransferScale = 1e3;
inline constexpr double kLargestAppearance = 1e8;
inline constexpr double kLeastLightWidth = 1e-9;
inline constexpr double kLargestLightWidth = 1e9;

/// LFRA: the vertex does not turn with an object.
inline constexpr std::uint16_t kNoLightFrame = 0xffff;

/// How all vertices answer light from far away, whatever their shape [JF03 section 4]. A vertex has
/// order^2 coefficients of a transfer vector for each of three colours, on each of its sides; it is
/// a sum over bases: M = M_0 + sum a_k M_k, k = 1 .. rank. With x_i = scale_i * coefficient_i and
/// centres c_j, the appearance coordinates are
///
///     a_k = sum_j weight_jk phi_j / sum_j phi_j,   phi_j = exp(-|x - c_j|^2 / (2 width^2)).
///
/// LTRA has, for each block of vertices and each side, rows of kBlock numbers: for each basis, each
/// coefficient and each colour. Numbers of 16 bits are multiplied by the scale of their row (LSCA,
/// the same rows once more for all blocks and sides).
struct Light {
  std::uint32_t order;  ///< bands of spherical harmonics, 1 to kMostLightOrder
  std::uint32_t sides;  ///< 1, or 2: front and back of a sheet
  std::uint32_t rank;
  std::uint32_t dimensions;
  std::uint32_t centre_count;
  std::uint32_t reserved;
  double width;           ///< of the radial basis functions
  double relative_error;  ///< of the transfer at the shapes that the model was made of
  double held_out_error;  ///< at shapes that it was not made of; 0: not measured
};
static_assert(sizeof(Light) == 48);

/// Rows of LTRA for one side of a block.
[[nodiscard]] constexpr std::uint64_t transfer_rows(const Light& light) {
  return (std::uint64_t{light.rank} + 1) * light.order * light.order * 3;
}

/// A coefficient that appearance depends on.
struct LightInput {
  std::uint32_t coefficient;  ///< its mode
  std::uint32_t reserved;
  double scale;
};
static_assert(sizeof(LightInput) == 16);

/// What a shell is in while no one says otherwise, one for each shell. Without the section: nothing
/// brakes them, and they weigh what they weigh.
struct Medium {
  double density;  ///< kg/m^3; 0: none
  double weight;   ///< of the gravity on its mass, what buoyancy leaves
};
static_assert(sizeof(Medium) == 16);

/// Components of handles, in world axes.
inline constexpr std::uint32_t kHandlePosition = 7;      // x 1, y 2, z 4
inline constexpr std::uint32_t kHandleOrientation = 56;  // x 8, y 16, z 32

/// A handle that a bone moves.
struct Attachment {
  std::uint32_t vertex;
  std::uint32_t components;
  std::uint32_t node;                      ///< of the glTF file
  std::uint32_t bone;                      ///< text: its name
  double stiffness;                        ///< N/m; 0: hard
  std::array<double, 3> rest;              ///< the vertex at rest, in the frame
  std::array<double, 12> bone_from_frame;  ///< 3 x 4 by rows, rigid, metres: at rest
};
static_assert(sizeof(Attachment) == 144);

}  // namespace supple::format
