// SPDX-License-Identifier: Apache-2.0
#include "supple/io/deck.hpp"

#include "io/bad_input.hpp"
#include "io/samples.hpp"

#include "source_directory.hpp"
#include "supple/core/files.hpp"
#include "supple/core/log.hpp"
#include "temporary_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <mutex>

namespace supple::io {
namespace {

namespace fs = std::filesystem;
using geometry::Index;

Result<Deck> read_deck_bytes(std::span<const std::byte> bytes, std::string_view name) {
  return read_deck(bytes, name);
}

/// 3 x 2 x 2 cubes of six tetrahedra each (Kuhn's split), one half soft, one half hard, on one
/// clamped and one sliding end.
Deck two_material_box() {
  constexpr std::array<int, 3> kCells{3, 2, 2};
  Deck deck;
  geometry::TetMesh& mesh = deck.mesh;
  const auto node = [&](std::array<int, 3> at) {
    return static_cast<Index>(at[0] + (kCells[0] + 1) * (at[1] + (kCells[1] + 1) * at[2]));
  };
  for (int z = 0; z <= kCells[2]; ++z) {
    for (int y = 0; y <= kCells[1]; ++y) {
      for (int x = 0; x <= kCells[0]; ++x) {
        mesh.nodes.emplace_back(0.1 * x, 0.1 * y, 0.1 * z);
        deck.fixed.push_back(x == 0 ? 7 : x == kCells[0] ? 5 : 0);
      }
    }
  }
  mesh.node_sets["end face"] = {node({0, 0, 0}), node({0, 1, 0})};
  for (int cell = 0; cell < kCells[0] * kCells[1] * kCells[2]; ++cell) {
    std::array<int, 3> axes{0, 1, 2};
    do {
      std::array<int, 3> at{cell % kCells[0], cell / kCells[0] % kCells[1],
                            cell / (kCells[0] * kCells[1])};
      std::vector<Index> tet{node(at)};
      for (const int axis : axes) {
        ++at[static_cast<std::size_t>(axis)];
        tet.push_back(node(at));
      }
      const bool even = (axes[1] - axes[0] + 3) % 3 == 1;  // of the permutation: orientation
      if (!even) std::swap(tet[2], tet[1]);
      mesh.connectivity.insert(mesh.connectivity.end(), tet.begin(), tet.end());
      mesh.regions.push_back(cell % 2);
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
  deck.materials = {{"soft stuff", 2e4, 0.45, 1000.0}, {"Hard", 2e9, 0.3, 1200.0}};
  mesh.region_names = {"soft stuff", "Hard"};
  deck.requested_modes = 3;
  return deck;
}

TEST(Deck, ReadsTheWholeSample) {
  const Deck deck = good(read_deck_bytes(as_bytes(samples::deck()), kFileName));
  EXPECT_DOUBLE_EQ(geometry::volume(deck.mesh), samples::kVolume);
  EXPECT_EQ(deck.node_labels, (std::vector<Index>{1, 20, 300, 1'000'000'000, 7}));
  EXPECT_EQ(deck.element_labels, (std::vector<Index>{5, 9}));
  ASSERT_EQ(deck.materials.size(), 2U);
  EXPECT_EQ(deck.materials[0].name, "Soft");
  EXPECT_EQ(deck.materials[0].youngs_modulus, 20000.0);
  EXPECT_EQ(deck.materials[0].poisson_ratio, 0.45);
  EXPECT_EQ(deck.materials[0].density, 1000.0);
  EXPECT_EQ(deck.materials[1].name, "HARD");
  EXPECT_EQ(deck.mesh.region_names, (std::vector<std::string>{"Soft", "HARD"}));
  EXPECT_EQ(deck.mesh.regions, (std::vector<Index>{0, 1}));
  EXPECT_EQ(deck.mesh.node_sets.at("MORE"), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(deck.mesh.node_sets.at("NALL").size(), 5U);
  EXPECT_EQ(deck.fixed, (std::vector<std::uint8_t>{7, 1, 1, 0, 4}));
  EXPECT_EQ(deck.requested_modes, 12);
}

TEST(Deck, ReadsTheOracleDecks) {
  const fs::path folder = supple::testing::source_directory() / "../shared/oracles";
  if (!fs::exists(folder)) GTEST_SKIP() << "the oracle decks are absent: reading them not tested";
  // They are boxes: the volume is that of the bounding box.
  for (const char* name : {"box10k_t4.inp", "box10k_t10.inp"}) {
    const Deck deck = good(read_deck(folder / name));
    EXPECT_EQ(deck.mesh.element_count(), 10206U);
    const geometry::Vec3 size = geometry::bounding_box(deck.mesh.nodes).size();
    const double rounding = 1e-12 * size.prod();
    EXPECT_NEAR(geometry::volume(deck.mesh), size.prod(), rounding);
    EXPECT_EQ(deck.requested_modes, 20);
    const auto& fixed = deck.mesh.node_sets.at("FIX");
    for (const Index node : fixed) EXPECT_EQ(deck.fixed[static_cast<std::size_t>(node)], 7);
    EXPECT_EQ(static_cast<std::size_t>(std::count(deck.fixed.begin(), deck.fixed.end(), 7)),
              fixed.size());
    EXPECT_EQ(deck.materials.at(0).density, 1000.0);
  }
}

TEST(Deck, WritesWhatItReads) {
  const Deck deck = good(read_deck_bytes(as_bytes(samples::deck()), kFileName));
  const auto text = write_deck(deck);
  ASSERT_TRUE(text.ok());
  const Deck copy = good(read_deck_bytes(as_bytes(*text), kFileName));
  EXPECT_EQ(copy.mesh.nodes, deck.mesh.nodes);
  EXPECT_EQ(copy.mesh.connectivity, deck.mesh.connectivity);
  EXPECT_EQ(copy.mesh.regions, deck.mesh.regions);
  EXPECT_EQ(copy.mesh.node_sets, deck.mesh.node_sets);
  EXPECT_EQ(copy.fixed, deck.fixed);
  EXPECT_EQ(copy.node_labels, deck.node_labels);
  EXPECT_EQ(copy.element_labels, deck.element_labels);
  EXPECT_EQ(copy.requested_modes, deck.requested_modes);
  EXPECT_EQ(copy.materials[1].youngs_modulus, deck.materials[1].youngs_modulus);
}

TEST(Deck, KeepsNumbersWithinTheWidthThatCalculixReads) {
  Deck deck = good(read_deck_bytes(as_bytes(samples::deck()), kFileName));
  deck.mesh.nodes[0] = {-1.2345678901234567e-105, -0.12345678901234567, 1.0 / 3};
  const std::string text = *write_deck(deck);
  const std::size_t first = text.find("\n1,") + 3;
  const std::string line = text.substr(first, text.find('\n', first) - first + 1);
  std::size_t start = 0;
  for (int field = 0; field < 3; ++field) {
    const std::size_t end = line.find_first_of(",\n", start);
    EXPECT_LE(end - start, 20U) << line;
    start = end + 1;
  }
  const Deck copy = good(read_deck_bytes(as_bytes(text), kFileName));
  const double precision = 1e-12;  // 13 digits is what fits beside "-" and "e-105"
  for (Index axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(copy.mesh.nodes[0][axis] / deck.mesh.nodes[0][axis], 1.0, precision);
  }
}

TEST(Deck, WritesNamesThatCalculixTakes) {
  Deck deck = good(read_deck_bytes(as_bytes(samples::deck()), kFileName));
  deck.materials[0].name = "12 soft, warm";
  deck.mesh.node_sets = {{"a b", {0}}, {"A_B", {1}}, {"7", {2}}};
  const Deck copy = good(read_deck_bytes(as_bytes(*write_deck(deck)), kFileName));
  EXPECT_EQ(copy.materials[0].name, "S12_soft__warm");
  EXPECT_EQ(copy.mesh.node_sets.size(), 3U);
  EXPECT_TRUE(copy.mesh.node_sets.count("S7"));
}

TEST(Deck, CalculixRunsWhatWeWrite) {
  if (!fs::exists("/usr/bin/ccx")) {
    GTEST_SKIP() << "ccx (package calculix-ccx) is absent: that it accepts our decks not tested";
  }
  const Deck deck = two_material_box();
  ASSERT_TRUE(deck.mesh.validate().ok());
  const supple::testing::TemporaryDirectory folder;
  ASSERT_TRUE(write_file(folder / "job.inp", *write_deck(deck)).ok());
  const std::string command =
      fmt::format("cd '{}' && ccx -i job > log 2>&1", folder.path().string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  const auto results = read_file(folder / "job.dat");
  const auto log = read_file(folder / "log");
  ASSERT_TRUE(results.ok());
  ASSERT_TRUE(log.ok());
  EXPECT_NE(as_text(*results).find("E I G E N V A L U E"), std::string_view::npos);
  EXPECT_EQ(as_text(*log).find("*ERROR"), std::string_view::npos) << as_text(*log);
  // CalculiX counts the unknowns itself: three per node less the supports that we wrote.
  std::size_t free = 3 * deck.mesh.nodes.size();
  for (const std::uint8_t bits : deck.fixed) free -= static_cast<std::size_t>(std::popcount(bits));
  EXPECT_NE(as_text(*log).find(fmt::format("number of equations\n {}\n", free)),
            std::string_view::npos)
      << as_text(*log);
}

TEST(Deck, IncludesFilesBesideIt) {
  const supple::testing::TemporaryDirectory folder;
  const std::string text = samples::deck();
  // The data lines of *NODE alone, as Abaqus users split their decks.
  const std::size_t begin = text.find(" 1, 0., 0., 0.");
  const std::size_t end = text.find("*ELEMENT");
  ASSERT_TRUE(write_file(folder / "nodes.inc", text.substr(begin, end - begin)).ok());
  std::string main = text;
  main.replace(begin, end - begin, "*INCLUDE, INPUT=nodes.inc\n");
  ASSERT_TRUE(write_file(folder / "main.inp", main).ok());
  EXPECT_EQ(good(read_deck(folder / "main.inp")).mesh.nodes.size(), 5U);
  expect_error(read_deck_bytes, main, "read from a file");

  ASSERT_TRUE(write_file(folder / "nodes.inc", "1, 0, 0, 0\n20, x\n").ok());
  const auto bad = read_deck(folder / "main.inp");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().place()->file, (folder / "nodes.inc").string());
  EXPECT_EQ(bad.error().place()->line, 2U);

  ASSERT_TRUE(write_file(folder / "loop.inp", "*INCLUDE, INPUT=loop.inp\n").ok());
  EXPECT_FALSE(read_deck(folder / "loop.inp").ok());
  ASSERT_TRUE(write_file(folder / "none.inp", "\n*INCLUDE, INPUT=nowhere.inp\n").ok());
  const auto missing = read_deck(folder / "none.inp");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().place()->line, 2U);
}

/// A few small files could fill the memory by including each other ten times each.
TEST(Deck, BoundsFilesThatAreIncludedAgain) {
  const supple::testing::TemporaryDirectory folder;
  const auto includes = [](const std::string& name, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += "*INCLUDE, INPUT=" + name + "\n";
    return text;
  };
  const auto error_of = [&](const std::string& bytes, int times, const std::string& name) {
    folder.write("large.inc", bytes);
    folder.write("middle.inc", includes(name, times));
    folder.write("main.inp", includes("middle.inc", times));
    return read_deck(folder / "main.inp").error().message();
  };
  const std::string comments(std::size_t{8} << 20U, '*');
  for (const std::string& name : {std::string("large.inc"), folder.path("./large.inc")}) {
    const std::string refused = error_of(comments, 10, name);
    EXPECT_NE(refused.find("included again"), std::string::npos) << refused;
  }
  // Small ones may come again, such as the same load in every step; this deck has no nodes.
  const std::string accepted = error_of("** a comment\n", 20, "large.inc");
  EXPECT_EQ(accepted.find("include"), std::string::npos) << accepted;
}

TEST(Deck, AcceptsOneUnmovedPart) {
  std::string text = samples::deck();
  text = replaced(text, "*Node",
                  "*PART, NAME=P\n*END PART\n*ASSEMBLY, NAME=A\n"
                  "*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n*Node");
  text = replaced(text, "MORE, 1, 1", "I.MORE, 1, 1");
  EXPECT_TRUE(read_deck_bytes(as_bytes(text), kFileName).ok());
  expect_error(read_deck_bytes, replaced(text, "PART=P\n*END I", "PART=P\n1., 0., 0.\n*END I"),
               "instances", 7);
}

TEST(Deck, NamesWhatItSkips) {
  std::vector<std::string> warnings;
  std::mutex mutex;
  log::to_function([&](log::Level level, std::string_view text) {
    const std::scoped_lock lock(mutex);
    if (level == log::Level::Warning) warnings.emplace_back(text);
  });
  std::string text = replaced(samples::deck(), "*STEP", "*CLOAD\n1,1,5.\n*EL PRINT\nS\n*STEP");
  text = replaced(text, "7, 3\n", "7, 3, 5\n");
  EXPECT_EQ(good(read_deck_bytes(as_bytes(text), kFileName)).fixed[4], 4);
  log::to_nowhere();
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find("dofs above 3"), std::string::npos);
  EXPECT_NE(warnings[1].find("*CLOAD"), std::string::npos);
}

TEST(Deck, RefusesWhatItCannotHonour) {
  for (const char* card :
       {"*EQUATION", "*MPC", "*TIE", "*RIGID BODY", "*SPRING", "*MASS", "*Transform, NSET=FIX"}) {
    expect_error(read_deck_bytes, samples::deck() + card + "\n1\n", "not supported");
  }
  const std::string text = samples::deck();
  expect_error(read_deck_bytes, replaced(text, "ELSET=low,", "ELSET=low, ORIENTATION=O,"),
               "ORIENTATION");
  expect_error(read_deck_bytes, replaced(text, "TYPE=ISO", "TYPE=ORTHO"), "ORTHO");
  expect_error(read_deck_bytes, replaced(text, "1, 2, 3, 0.", "1, 2, 3, 0.1"), "prescribed value");
  expect_error(read_deck_bytes, replaced(text, "TYPE=C3D4, ELSET=HIGH", "TYPE=C3D8"), "C3D8");
  expect_error(read_deck_bytes, replaced(text, "TYPE=C3D4, ELSET=HIGH", "TYPE=C3D10, ELSET=HIGH"),
               "mixes");
}

TEST(Deck, RefusesBadFilesWithTheirPlace) {
  const std::string text = samples::deck();
  expect_error(read_deck_bytes, replaced(text, "20,1.0D0", "20,nan"), "node 20", 6);
  expect_error(read_deck_bytes, replaced(text, "20,1.0D0", "20,x"), "a coordinate", 6);
  expect_error(read_deck_bytes, replaced(text, "20,1.0D0", "0,1.0D0"), "node number 0", 6);
  expect_error(read_deck_bytes, replaced(text, "20,1.0D0", "1,1.0D0"), "node 1 is defined twice",
               6);
  expect_error(read_deck_bytes, replaced(text, "9, 20,300,1000000000,7", "9, 20,300,1000000000,8"),
               "element 9 names node 8", 15);
  expect_error(read_deck_bytes, replaced(text, "9, 20,300,1000000000,7", "9, 20,300,7"),
               "3 of its 4 nodes", 15);
  expect_error(read_deck_bytes,
               replaced(text, "9, 20,300,1000000000,7", "9, 20,300,1,1000000000,7"),
               "more than 4 nodes", 15);
  expect_error(read_deck_bytes, replaced(text, "9, 20,", "5, 20,"), "element 5 is defined twice",
               15);
  expect_error(read_deck_bytes, replaced(text, "1,20,\n", "1,21,\n"), "names node 21", 17);
  expect_error(read_deck_bytes, replaced(text, "Fix, 300", "Fox, 300"), "unknown node set 'Fox'",
               19);
  expect_error(read_deck_bytes, replaced(text, "1,20,\n", "1,MORE\n"), "cycle");
  expect_error(read_deck_bytes, replaced(text, "5,9,4", "5,9,1"), "");
  expect_error(read_deck_bytes, replaced(text, "MORE, 1, 1", "MOST, 1, 1"),
               "unknown node set 'MOST'");
  expect_error(read_deck_bytes, replaced(text, "MORE, 1, 1", "99, 1, 1"), "node 99");
  expect_error(read_deck_bytes, replaced(text, "MORE, 1, 1", "MORE, 3, 1"), "dofs 3 to 1");
  expect_error(read_deck_bytes, replaced(text, "MATERIAL=Hard", "MATERIAL=Glass"),
               "unknown material 'Glass'");
  expect_error(read_deck_bytes, replaced(text, "ELSET=low,", "ELSET=lower,"),
               "unknown element set 'lower'");
  expect_error(read_deck_bytes, replaced(text, "*SOLID SECTION, ELSET=HIGH, MATERIAL=Hard\n", ""),
               "element 9 belongs to no *SOLID SECTION", 15);
  expect_error(read_deck_bytes, replaced(text, "2e9,0.3", "2e9,nan"), "finite number");
  expect_error(read_deck_bytes, "1,2,3\n", "a card", 1);
  expect_error(read_deck_bytes, "", "no elements");
}

TEST(Deck, LeavesMissingMaterialValuesToTheCaller) {
  const Deck deck = good(
      read_deck_bytes(as_bytes(replaced(samples::deck(), "*DENSITY\n1200.\n", "")), kFileName));
  EXPECT_FALSE(deck.materials[1].density.has_value());
  EXPECT_TRUE(deck.materials[1].youngs_modulus.has_value());
}

TEST(Deck, DoesNotBelieveHugeRanges) {
  expect_error(read_deck_bytes, replaced(samples::deck(), "5,9,4", "1,2147483647,1"), "");
  expect_error(read_deck_bytes,
               replaced(samples::deck(), "5,9,4", "5,2000000000,9223372036854775807"), "GENERATE");
  const std::string fixed = replaced(samples::deck(), "*NSET, NSET=FIX\n1,20,",
                                     "*NSET, NSET=FIX, GENERATE\n1,2147483647");
  expect_error(read_deck_bytes, fixed, "names node 2,");
}

TEST(Deck, SurvivesDamage) {
  expect_survives_truncation(read_deck_bytes, samples::deck() + "*HEADING\n");
  expect_survives_mutation(read_deck_bytes, samples::deck(), 60);
}

}  // namespace
}  // namespace supple::io
