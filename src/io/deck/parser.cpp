// SPDX-License-Identifier: Apache-2.0
#include "io/deck/parser.hpp"

#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace supple::io::detail {
namespace {

constexpr std::size_t kMaxIncludeDepth = 16;
constexpr std::size_t kMaxIncludes = 1000;
constexpr std::size_t kMaxIncludedBytes = std::size_t{4} << 30;  // of all together
constexpr std::size_t kMaxRepeatedBytes = kMostTextBytes;        // of files from their second time

/// Output, bookkeeping, and material properties that do not affect free vibration.
constexpr std::array<std::string_view, 36> kHarmless{
    "ASSEMBLY",     "CONDUCTIVITY",      "CONTACTFILE", "CONTACTOUTPUT", "CONTACTPRINT",
    "CREEP",        "DAMPING",           "DEPVAR",      "ELEMENTOUTPUT", "ELFILE",
    "ELPRINT",      "ENDASSEMBLY",       "ENDINSTANCE", "ENDPART",       "ENDSTEP",
    "ENERGYFILE",   "EXPANSION",         "FACEPRINT",   "FILEFORMAT",    "HEADING",
    "MONITOR",      "NODEFILE",          "NODEOUTPUT",  "NODEPRINT",     "ORIENTATION",
    "OUTPUT",       "PHYSICALCONSTANTS", "PLASTIC",     "PREPRINT",      "RESTART",
    "SECTIONPRINT", "SPECIFICHEAT",      "STEP",        "SURFACE",       "SYSTEMUNITS",
    "TIMEPOINTS"};

/// Cards that change the frequencies in unsupported ways.
constexpr std::array<std::string_view, 37> kUnsupported{"BEAMSECTION",
                                                        "COMPLEXFREQUENCY",
                                                        "CONNECTORSECTION",
                                                        "CONTACTPAIR",
                                                        "COUPLING",
                                                        "CYCLICSYMMETRYMODEL",
                                                        "DASHPOT",
                                                        "DISTRIBUTINGCOUPLING",
                                                        "ELEMENTMATRIX",
                                                        "EMBEDDEDELEMENT",
                                                        "EQUATION",
                                                        "GAP",
                                                        "HYPERELASTIC",
                                                        "HYPERFOAM",
                                                        "KINEMATIC",
                                                        "KINEMATICCOUPLING",
                                                        "MASS",
                                                        "MATRIXASSEMBLE",
                                                        "MATRIXINPUT",
                                                        "MEMBRANESECTION",
                                                        "MODELCHANGE",
                                                        "MPC",
                                                        "NCOPY",
                                                        "NGEN",
                                                        "NONSTRUCTURALMASS",
                                                        "RIGIDBODY",
                                                        "ROTARYINERTIA",
                                                        "SHELLSECTION",
                                                        "SPRING",
                                                        "SUBMODEL",
                                                        "SUBSTRUCTUREPATH",
                                                        "SYSTEM",
                                                        "TIE",
                                                        "TRANSFORM",
                                                        "USERELEMENT",
                                                        "USERMATERIAL",
                                                        "ELGEN"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string without_blanks(std::string_view text) {
  std::string packed;
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\r') packed += c;
  }
  return packed;
}

std::string_view without_quotes(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

/// Pieces between commas that are not inside quotes.
std::vector<std::string_view> split_line(std::string_view line) {
  std::vector<std::string_view> pieces;
  std::size_t start = 0;
  bool inside_quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') inside_quotes = !inside_quotes;
    if (line[i] == ',' && !inside_quotes) {
      pieces.push_back(trim(line.substr(start, i - start)));
      start = i + 1;
    }
  }
  pieces.push_back(trim(line.substr(start)));
  return pieces;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

const std::string* DeckCard::find(std::string_view key) const {
  for (const auto& [name_of, value] : parameters) {
    if (name_of == key) return &value;
  }
  return nullptr;
}

Error DeckData::error(DeckOrigin origin, std::string message) const {
  return bad_input(std::move(message)).at(files[origin.file], origin.line);
}

DeckParser::DeckParser(std::string_view text, std::string_view name,
                       std::optional<std::filesystem::path> directory)
    : m_directory(std::move(directory)) {
  m_data.files.emplace_back(name);
  m_data.bytes = text.size();
  m_stack.push_back({TextCursor(text, m_data.files.back()), 0});
}

DeckOrigin DeckParser::origin() const {
  return {m_stack.back().file, static_cast<std::uint32_t>(m_stack.back().cursor.line_number())};
}

bool DeckParser::at_include() const {
  const std::string_view line = m_stack.back().cursor.rest().substr(0, 40);
  return without_blanks(to_upper(line.substr(0, line.find_first_of(",\n")))) == "*INCLUDE";
}

/// Moves to the next line that is neither empty nor a comment.
Result<DeckParser::Line> DeckParser::find_line() {
  while (true) {
    TextCursor& cursor = at();
    cursor.skip_space();
    if (cursor.at_end()) {
      if (m_stack.size() == 1) return Line::End;
      m_stack.pop_back();
    } else if (cursor.peek() != '*') {
      return Line::Data;
    } else if (cursor.peek(1) == '*') {
      cursor.next_line();
    } else if (at_include()) {
      SUPPLE_TRY_VOID(include());
    } else {
      return Line::Card;
    }
  }
}

Result<bool> DeckParser::find_data_line() {
  SUPPLE_TRY(const Line line, find_line());
  return line == Line::Data;
}

Result<void> DeckParser::include() {
  const DeckCard card = read_card();
  SUPPLE_TRY(const std::string input, need(card, "INPUT"));
  if (!m_directory) {
    return m_data.error(card.origin, "*INCLUDE needs a deck that is read from a file");
  }
  const std::filesystem::path path = *m_directory / input;
  const std::string name = path.string();
  for (const Source& source : m_stack) {
    if (m_data.files[source.file] == name) {
      return m_data.error(card.origin, fmt::format("{} includes itself", in_quotes(input)));
    }
  }
  if (m_stack.size() > kMaxIncludeDepth || ++m_includes > kMaxIncludes) {
    return m_data.error(card.origin, fmt::format("more than {} nested or {} total *INCLUDE cards",
                                                 kMaxIncludeDepth, kMaxIncludes));
  }
  auto bytes = read_file(path, kMaxIncludedBytes - std::min(m_data.bytes, kMaxIncludedBytes));
  if (!bytes.ok()) {
    return std::move(bytes).error().at(m_data.files[card.origin.file], card.origin.line);
  }
  std::error_code ignored;
  if (!m_included.insert(std::filesystem::weakly_canonical(path, ignored)).second) {
    m_repeated_bytes += bytes->size();
  }
  if (m_repeated_bytes > kMaxRepeatedBytes) {
    return m_data.error(card.origin, fmt::format("files that are included again add up to more "
                                                 "than {} bytes; include them once",
                                                 kMaxRepeatedBytes));
  }
  m_texts.push_back(*std::move(bytes));
  m_data.files.push_back(name);
  m_data.bytes += m_texts.back().size();
  m_stack.push_back({TextCursor(as_text(m_texts.back()), m_data.files.back()),
                     static_cast<std::uint32_t>(m_data.files.size() - 1)});
  return {};
}

DeckCard DeckParser::read_card() {
  DeckCard card;
  card.origin = origin();
  std::string text(trim(at().take_line()));
  // A trailing comma continues the card if the next line can be a parameter.
  while (text.back() == ',') {
    at().skip_blanks();
    if (!is_letter(at().peek())) break;
    text += trim(at().take_line());
  }
  const std::vector<std::string_view> pieces = split_line(std::string_view(text).substr(1));
  card.name = without_blanks(to_upper(pieces.front()));
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const std::size_t equals = pieces[i].find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : pieces[i].substr(equals + 1);
    card.parameters.emplace_back(without_blanks(to_upper(pieces[i].substr(0, equals))),
                                 without_quotes(value));
  }
  return card;
}

/// Fields of this data line, trimmed and without quotes; moves to the next line.
std::vector<std::string_view> DeckParser::read_fields() {
  std::vector<std::string_view> fields = split_line(at().take_line());
  for (std::string_view& field : fields) field = without_quotes(field);
  return fields;
}

Result<void> DeckParser::skip_data() {
  while (true) {
    SUPPLE_TRY(const bool more, find_data_line());
    if (!more) return {};
    at().next_line();
  }
}

Result<std::string> DeckParser::need(const DeckCard& card, std::string_view key) {
  const std::string* value = card.find(key);
  if (value != nullptr && !value->empty()) return *value;
  return m_data.error(card.origin, fmt::format("*{} needs {}=...", card.name, key));
}

DeckParser::Handler DeckParser::handler_of(std::string_view name) {
  using Entry = std::pair<std::string_view, Handler>;
  static constexpr std::array<Entry, 12> kHandlers{{{"NODE", &DeckParser::read_nodes},
                                                    {"ELEMENT", &DeckParser::read_elements},
                                                    {"NSET", &DeckParser::read_node_set},
                                                    {"ELSET", &DeckParser::read_element_set},
                                                    {"MATERIAL", &DeckParser::read_material},
                                                    {"ELASTIC", &DeckParser::read_elastic},
                                                    {"DENSITY", &DeckParser::read_density},
                                                    {"SOLIDSECTION", &DeckParser::read_section},
                                                    {"BOUNDARY", &DeckParser::read_boundary},
                                                    {"FREQUENCY", &DeckParser::read_frequency},
                                                    {"PART", &DeckParser::read_part},
                                                    {"INSTANCE", &DeckParser::read_instance}}};
  for (const Entry& entry : kHandlers) {
    if (entry.first == name) return entry.second;
  }
  return nullptr;
}

Result<void> DeckParser::handle(const DeckCard& card) {
  if (const Handler handler = handler_of(card.name)) {
    SUPPLE_TRY_VOID((this->*handler)(card));
    return skip_data();  // the rows that the handler does not need
  }
  if (contains(kUnsupported, card.name)) {
    return m_data.error(card.origin,
                        fmt::format("*{} changes the result and is not supported", card.name));
  }
  if (!contains(kHarmless, card.name)) {
    log::warn("{}:{}: unknown card {} skipped", m_data.files[card.origin.file], card.origin.line,
              in_quotes("*" + card.name));
  }
  return skip_data();
}

Result<DeckData> DeckParser::run() {
  while (true) {
    SUPPLE_TRY(const Line line, find_line());
    if (line == Line::End) break;
    if (line == Line::Data) return at().expected("a card such as *NODE");
    const DeckCard card = read_card();
    SUPPLE_TRY_VOID(handle(card));
  }
  return std::move(m_data);
}

}  // namespace supple::io::detail
