// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "small_models.hpp"

#include "text.hpp"

#include <gtest/gtest.h>

namespace supple::testing {
namespace {

/// Bad input: status 3, a message that holds `part`, nothing on standard output, no new file.
void expect_bad_input(const std::string& file_name, const std::string& content,
                      const std::string& part, const Arguments& more = {}) {
  const TemporaryDirectory directory;
  Arguments arguments{"modes", directory.write(file_name, content), "-o", directory.path("out")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = supple(arguments);
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("error: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << "wanted: " << part << "\n" << outcome.err;
  EXPECT_EQ(directory.list(), std::vector<std::string>{file_name});
}

void expect_bad_deck(const DeckText& deck, const std::string& part, const Arguments& more = {}) {
  expect_bad_input("box.inp", deck.str(), part, more);
}

TEST(BadModel, CoordinatesThatAreNotFinite) {
  for (const char* value : {"nan", "inf", "1e999"}) {
    DeckText deck = box_deck();
    deck.nodes = replaced(deck.nodes, "7, 0.05, 0.05, 0", std::string("7, 0.05, ") + value + ", 0");
    expect_bad_deck(deck, "box.inp:");
  }
}

TEST(BadModel, IndexOutOfRange) {
  DeckText deck = box_deck();
  deck.elements = replaced(deck.elements, "\n3, 1,", "\n3, 9999,");
  expect_bad_deck(deck, "9999");
}

TEST(BadModel, InvertedElementsAreCountedAndNamed) {
  DeckText deck = box_deck();
  deck.elements = replaced(deck.elements, "\n5, 1, 16,", "\n5, 16, 1,");
  deck.elements = replaced(deck.elements, "\n7, 2, 3,", "\n7, 3, 2,");
  expect_bad_deck(deck, "2 inverted (elements 5, 7)");
}

TEST(BadModel, FlatElements) {
  DeckText deck = box_deck();
  deck.elements = replaced(deck.elements, "\n1, 1, 2, 7, 22", "\n1, 1, 2, 3, 4");
  expect_bad_deck(deck, "element");
}

TEST(BadModel, MaterialsOutOfRange) {
  const auto with = [](const char* elastic, const char* density) {
    DeckText deck = box_deck();
    deck.material = std::string("*MATERIAL, NAME=FLESH\n*ELASTIC\n") + elastic + "\n*DENSITY\n" +
                    density + "\n";
    return deck;
  };
  expect_bad_deck(with("20000, 0.5", "1000"), "0.5");
  expect_bad_deck(with("20000, 0.7", "1000"), "0.7");
  expect_bad_deck(with("20000, -1", "1000"), "oisson");
  expect_bad_deck(with("0, 0.3", "1000"), "oung");
  expect_bad_deck(with("-5, 0.3", "1000"), "oung");
  expect_bad_deck(with("20000, 0.3", "0"), "ensity");
  expect_bad_deck(with("20000, 0.3", "-1"), "ensity");
  const Outcome outcome = supple({"modes", "--sample", "beam", "--material", "1e5,0.5,1000"});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
}

TEST(BadModel, MissingDensityNamesTheCard) {
  DeckText deck = box_deck();
  deck.material = "*MATERIAL, NAME=FLESH\n*ELASTIC\n20000, 0.45\n";
  expect_bad_deck(deck, "*DENSITY");
}

TEST(BadModel, SetThatNamesAMissingNode) {
  DeckText deck = box_deck();
  deck.sets = replaced(deck.sets, "NSET=FIX\n", "NSET=FIX\n777,\n");
  expect_bad_deck(deck, "777");
}

TEST(BadModel, BoundaryOnAMissingSet) {
  DeckText deck = box_deck();
  deck.boundary = "*BOUNDARY\nFIXX, 1, 3\n";
  expect_bad_deck(deck, "FIXX");
}

TEST(BadModel, SelectionThatMatchesNothingTellsWhereTheModelIs) {
  expect_bad_deck(box_deck(), "(0.2, 0.1, 0.1)", {"--fix", "plane:x=20"});
  expect_bad_deck(box_deck(), "FIX (9 nodes)", {"--fix", "set:ROOT"});
}

TEST(BadModel, MoreModesThanUnknowns) {
  expect_bad_deck(box_deck(), "108", {"-n", "5000"});
}

TEST(BadModel, LoosePieceIsNamedWithItsElements) {
  DeckText deck = box_deck();
  // A second solid far from the first: one tetrahedron that nothing holds.
  deck.nodes += "901, 5, 5, 5\n902, 6, 5, 5\n903, 5, 6, 5\n904, 5, 5, 6\n";
  deck.elements += "97, 901, 902, 903, 904\n";
  expect_bad_deck(deck, "1 element");
  expect_bad_deck(deck, "keep only the 'largest piece', or accept 'all pieces'");
  const TemporaryDirectory directory;
  const Outcome accepted = supple(
      {"modes", directory.write("deck.inp", deck.str()), "-n", "2", "--all-pieces", "--json"});
  EXPECT_EQ(accepted.status, 0) << accepted.err;
  EXPECT_NE(accepted.out.find("\"rigid_modes\": 6"), std::string::npos) << accepted.out;
}

TEST(BadModel, FileThatIsNotThere) {
  const Outcome outcome = supple({"modes", "/nonexistent/box.inp"});
  EXPECT_EQ(outcome.status, 5);
  EXPECT_NE(outcome.err.find("/nonexistent/box.inp"), std::string::npos);
}

}  // namespace
}  // namespace supple::testing
