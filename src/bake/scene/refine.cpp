// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/refine.hpp"

#include "bake/scene/clear_transitions.hpp"

#include "supple/core/files.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>

namespace supple::bake::detail {
namespace {

/// Of one log: the worst blends, as many as these.
constexpr std::size_t kMostRefined = 16;

/// Which log has the chains from this one on, and how many they are.
std::filesystem::path refinement_file(const ChainStore& store, std::size_t first) {
  return store.folder() / fmt::format("refined_{:06}.id", first);
}

double size_of(const scene::Portrait& portrait) {
  return std::sqrt(portrait.q.colwise().squaredNorm().maxCoeff());
}

/// Over all states and entries, of the portrait's size.
double mean_distance(const PlayablePortrait& reduced) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < reduced.transitions.next.size(); ++i) {
    if (reduced.transitions.next[i] == scene::Transitions::kNone) continue;
    sum += double{reduced.transitions.distance[i]};
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) / size_of(reduced.portrait) : 0;
}

double distance_at(const PlayablePortrait& reduced, std::size_t response, std::size_t frame,
                   std::size_t entry) {
  const std::size_t state = reduced.portrait.first_state[response] + frame;
  return double{reduced.transitions.distance[state * reduced.transitions.entries + entry]} /
         size_of(reduced.portrait);
}

/// The bake takes another answer than the nearest where that one's blend makes surfaces intersect.
bool may_answer(const scene::AnswerFinder& finder, std::size_t state, std::size_t entry,
                std::size_t group) {
  const std::vector<scene::Answer> answers = finder.nearest(state, entry, kMostAnswers);
  return std::any_of(answers.begin(), answers.end(),
                     [&](const scene::Answer& answer) { return answer.group == group; });
}

Error other_bake(std::size_t number, const std::string& what) {
  return bad_input(fmt::format(
      "blend {} of the log does not fit the samples in the work folder: {}. The log is from "
      "another bake; play the file that these samples gave, with the same settings, and log again",
      number + 1, what));
}

}  // namespace

Result<void> SceneRefiner::prepare(const SceneLog& log, const Hash& hash, std::size_t chains) {
  SUPPLE_TRY_VOID(find_first(hash, chains));
  std::size_t responses = 0;
  for (std::size_t c = 0; c < m_first; ++c) {
    SUPPLE_TRY(const scene::Chain chain, m_store.load(c));
    m_first_response.push_back(responses);
    responses += chain.responses.size();
  }
  SUPPLE_TRY(const scene::Shapes shapes, find_shapes(m_settings, m_drawn, m_store, m_first));
  SUPPLE_TRY(const scene::Portrait all,
             find_portrait(m_settings, shapes, m_drawn, m_store, m_first));
  SUPPLE_TRY(const PlayablePortrait before, keep_playable(all, m_palette));
  m_coverage_before = mean_distance(before);
  SUPPLE_TRY_VOID(find_targets(log, before));
  SUPPLE_TRY_VOID(find_starts());
  return mark(hash);
}

/// Chains of earlier logs come before those of this one.
Result<void> SceneRefiner::find_first(const Hash& hash, std::size_t chains) {
  m_first = chains;
  while (std::filesystem::exists(refinement_file(m_store, m_first))) {
    SUPPLE_TRY(const Bytes bytes, read_file(refinement_file(m_store, m_first), kMostTextBytes));
    const std::string text(as_text(bytes));
    const std::size_t space = text.find(' ');
    if (text.substr(0, space) == hash.hex()) return {};
    std::size_t count = 0;
    if (space != std::string::npos) {
      std::from_chars(text.data() + space + 1, text.data() + text.size(), count);
    }
    for (std::size_t c = m_first; c < m_first + count; ++c) {
      if (m_store.has(c)) continue;
      return bad_input(
          fmt::format("an earlier refinement in '{}' was interrupted; finish it with its log first",
                      m_store.folder().string()));
    }
    if (count == 0) break;
    m_first += count;
  }
  return {};
}

Result<void> SceneRefiner::find_targets(const SceneLog& log, const PlayablePortrait& before) {
  std::vector<std::size_t> order(log.blends.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return log.blends[a].off > log.blends[b].off;
  });
  const scene::AnswerFinder answers(before.portrait, m_palette);
  for (const std::size_t i : order) {
    SUPPLE_TRY(const Target target, find_target(log.blends[i], i, before, answers));
    const bool known = std::any_of(m_targets.begin(), m_targets.end(), [&](const Target& other) {
      return other.place == target.place && other.entry == target.entry;
    });
    if (!known && m_targets.size() < kMostRefined) m_targets.push_back(target);
  }
  if (m_targets.empty()) return bad_input("the log has no blends: there is nothing to refine");
  return {};
}

Result<SceneRefiner::Target> SceneRefiner::find_target(const SceneBlend& blend, std::size_t number,
                                                       const PlayablePortrait& before,
                                                       const scene::AnswerFinder& answers) const {
  std::vector<std::string> names;
  std::optional<std::size_t> entry;
  for (std::size_t e = 0; e < m_palette.size(); ++e) {
    names.push_back(m_palette.entries()[e].name);
    if (names.back() == blend.entry) entry = e;
  }
  if (!entry) {
    return other_bake(number, fmt::format("the scene has no entry '{}'{}", blend.entry,
                                          did_you_mean(blend.entry, names)));
  }
  const auto& responses = before.portrait.responses;
  if (blend.response >= responses.size() || blend.next >= responses.size()) {
    return other_bake(number, fmt::format("responses {} and {} are not both among its {}",
                                          blend.response, blend.next, responses.size()));
  }
  const auto frame = static_cast<std::size_t>(std::min(blend.frame + 0.5, 1e9));
  if (frame > responses[blend.response].frames) {
    return other_bake(
        number, fmt::format("response {} has frames 0 to {} and no frame {:g}", blend.response,
                            responses[blend.response].frames, blend.frame));
  }
  const std::size_t state = before.portrait.first_state[blend.response] + frame;
  if (!may_answer(answers, state, *entry, responses[blend.next].group)) {
    return other_bake(number, fmt::format("'{}' at frame {:g} of response {} does not lead to {}",
                                          blend.entry, blend.frame, blend.response, blend.next));
  }
  return Target{{before.sampled[blend.response], frame},
                *entry,
                distance_at(before, blend.response, frame, *entry)};
}

/// The nearest saved state before each target, and how many frames later it is.
Result<void> SceneRefiner::find_starts() {
  for (const Target& target : m_targets) {
    const auto after =
        std::upper_bound(m_first_response.begin(), m_first_response.end(), target.place.response);
    const auto c = static_cast<std::size_t>(after - m_first_response.begin()) - 1;
    SUPPLE_TRY(const scene::Chain chain, m_store.load(c));
    std::optional<AdvancedStart> start =
        start_at(chain, m_first_response[c], target.place, target.entry);
    if (!start) {
      return bad_input(fmt::format("response {} of the samples has no saved state to go on from",
                                   target.place.response));
    }
    m_starts.push_back(*std::move(start));
  }
  return {};
}

Result<void> SceneRefiner::mark(const Hash& hash) const {
  return write_file(refinement_file(m_store, m_first),
                    fmt::format("{} {}", hash.hex(), m_starts.size()));
}

SceneRefinement SceneRefiner::compare(const PlayablePortrait& after) const {
  SceneRefinement result;
  result.blends = m_targets.size();
  result.chains = m_starts.size();
  result.coverage_before = m_coverage_before;
  result.coverage_after = mean_distance(after);
  std::size_t found = 0;
  for (const Target& target : m_targets) {
    result.mean_before += target.before / static_cast<double>(m_targets.size());
    result.largest_before = std::max(result.largest_before, target.before);
    const auto at =
        std::lower_bound(after.sampled.begin(), after.sampled.end(), target.place.response);
    if (at == after.sampled.end() || *at != target.place.response) continue;
    const double now = distance_at(after, static_cast<std::size_t>(at - after.sampled.begin()),
                                   target.place.frame, target.entry);
    result.mean_after += now;
    result.largest_after = std::max(result.largest_after, now);
    ++found;
  }
  if (found > 0) result.mean_after /= static_cast<double>(found);
  return result;
}

}  // namespace supple::bake::detail
