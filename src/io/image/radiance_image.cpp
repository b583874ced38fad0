// SPDX-License-Identifier: Apache-2.0
#include "supple/io/radiance_image.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace supple::io {
namespace {

using Rgbe = std::array<std::uint8_t, 4>;

/// The lines before the pixels.
struct HdrHeader {
  std::size_t lines = 0;    ///< rows of pixels in the file
  std::size_t length = 0;   ///< pixels of each
  bool transposed = false;  ///< the rows of the file are columns of the picture
  bool lines_fall = true;   ///< along -Y (or -X): the first is at the top (or right)
  bool pixels_rise = true;  ///< along +X (or +Y)
  std::array<double, 3> scale = {1, 1, 1};  ///< what pixels are divided by
};

/// Reads a .hdr from its first byte to its last; every failure has the name of the file.
class HdrReader {
 public:
  HdrReader(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
      : m_bytes(bytes), m_name(name), m_limits(limits) {}

  Result<RadianceImage> read() {
    SUPPLE_TRY_VOID(read_header());
    RadianceImage image;
    image.width = m_header.transposed ? m_header.lines : m_header.length;
    image.height = m_header.transposed ? m_header.length : m_header.lines;
    // What is stored grows with what is decoded: the header alone allocates little.
    std::vector<Rgbe> pixels;
    std::vector<Rgbe> line(m_header.length);
    for (std::size_t i = 0; i < m_header.lines; ++i) {
      SUPPLE_TRY_VOID(read_line(line, i + 1));
      pixels.insert(pixels.end(), line.begin(), line.end());
    }
    SUPPLE_TRY_VOID(store(pixels, image));
    return image;
  }

 private:
  [[nodiscard]] Error fail(std::string text, std::size_t line = 0) const {
    return bad_input(std::move(text)).at(m_name, line);
  }

  Result<std::string_view> header_line(std::size_t number) {
    constexpr std::size_t kLongest = 4096;
    const std::string_view rest = as_text(m_bytes.subspan(m_at));
    const std::size_t length = rest.substr(0, kLongest).find('\n');
    if (length == std::string_view::npos) {
      return fail("the header ends before the line with the size of the picture", number);
    }
    m_at += length + 1;
    std::string_view line = rest.substr(0, length);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  Result<void> read_header() {
    if (!as_text(m_bytes).starts_with("#?")) {
      return fail("this is not a Radiance picture: it does not begin with '#?RADIANCE'");
    }
    std::size_t number = 1;
    for (;; ++number) {
      SUPPLE_TRY(const std::string_view line, header_line(number));
      if (line.empty()) break;
      SUPPLE_TRY_VOID(read_variable(line, number));
    }
    SUPPLE_TRY(const std::string_view size, header_line(number + 1));
    return read_size(size, number + 1);
  }

  Result<void> read_variable(std::string_view line, std::size_t number) {
    const std::size_t equals = line.find('=');
    if (line.front() == '#' || equals == std::string_view::npos) return {};
    const std::string_view key = line.substr(0, equals);
    const std::string_view value = line.substr(equals + 1);
    if (key == "FORMAT" && value != "32-bit_rle_rgbe") {
      return fail(fmt::format("the format '{}'; export the picture as 32-bit_rle_rgbe", value),
                  number);
    }
    if (key == "EXPOSURE") return scale_by(value, 1, number);
    if (key == "COLORCORR") return scale_by(value, 3, number);
    return {};
  }

  /// One factor for all colours, or one for each.
  Result<void> scale_by(std::string_view text, std::size_t count, std::size_t number) {
    std::array<double, 3> factors{};
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    for (std::size_t i = 0; i < count; ++i) {
      while (at != end && *at == ' ') ++at;
      const auto parsed = std::from_chars(at, end, factors[i]);
      at = parsed.ptr;
      if (parsed.ec != std::errc() || !(factors[i] > 0 && std::isfinite(factors[i]))) {
        return fail(
            fmt::format("'{}' must be {} above 0", text, count == 1 ? "a number" : "three numbers"),
            number);
      }
    }
    for (std::size_t i = 0; i < 3; ++i) m_header.scale[i] *= factors[count == 1 ? 0 : i];
    return {};
  }

  /// "-Y 512 +X 1024", or another of the eight orders.
  Result<void> read_size(std::string_view line, std::size_t number) {
    const auto wrong = [&] {
      return fail(fmt::format("'{}' is not a size such as '-Y 512 +X 1024'", line), number);
    };
    std::array<char, 2> sign{};
    std::array<char, 2> axis{};
    std::array<std::size_t, 2> count{};
    const char* at = line.data();
    const char* const end = line.data() + line.size();
    for (std::size_t i = 0; i < 2; ++i) {
      while (i > 0 && at != end && *at == ' ') ++at;
      if (end - at < 4) return wrong();
      sign[i] = at[0];
      axis[i] = at[1];
      if ((sign[i] != '+' && sign[i] != '-') || at[2] != ' ') return wrong();
      const auto parsed = std::from_chars(at + 3, end, count[i]);
      if (parsed.ec != std::errc()) return wrong();
      at = parsed.ptr;
    }
    const bool axes = (axis[0] == 'Y' && axis[1] == 'X') || (axis[0] == 'X' && axis[1] == 'Y');
    if (at != end || !axes) return wrong();
    m_header.transposed = axis[0] == 'X';
    m_header.lines_fall = sign[0] == '-';
    m_header.pixels_rise = sign[1] == '+';
    m_header.lines = count[0];
    m_header.length = count[1];
    return check_size(number);
  }

  Result<void> check_size(std::size_t number) const {
    const std::size_t a = m_header.lines;
    const std::size_t b = m_header.length;
    if (a < 1 || b < 1 || a > m_limits.side || b > m_limits.side) {
      return fail(fmt::format("a picture of {} x {} pixels; sides from 1 to {} are accepted", a, b,
                              m_limits.side),
                  number);
    }
    if (a * b <= m_limits.pixels) return {};
    return fail(fmt::format("a picture of {} x {} pixels, where {:.3g} million are possible", a, b,
                            static_cast<double>(m_limits.pixels) / 1e6),
                number);
  }

  // ---- Pixels ---------------------------------------------------------------------------------

  [[nodiscard]] Error truncated(std::size_t row) const {
    return fail(fmt::format("the file ends in row {} of {}", row, m_header.lines));
  }
  [[nodiscard]] std::optional<std::uint8_t> next() {
    if (m_at == m_bytes.size()) return std::nullopt;
    return static_cast<std::uint8_t>(m_bytes[m_at++]);
  }
  [[nodiscard]] std::optional<Rgbe> next_pixel() {
    if (m_bytes.size() - m_at < 4) return std::nullopt;
    Rgbe pixel;
    for (std::uint8_t& value : pixel) value = static_cast<std::uint8_t>(m_bytes[m_at++]);
    return pixel;
  }

  Result<void> read_line(std::vector<Rgbe>& line, std::size_t row) {
    constexpr std::size_t kShortestRuns = 8;
    constexpr std::size_t kLongestRuns = 0x7fff;
    const std::size_t begin = m_at;
    if (line.size() >= kShortestRuns && line.size() <= kLongestRuns) {
      const auto mark = next_pixel();
      if (!mark) return truncated(row);
      if ((*mark)[0] == 2 && (*mark)[1] == 2 && (*mark)[2] < 128) {
        const std::size_t length = std::size_t{(*mark)[2]} << 8U | (*mark)[3];
        if (length == line.size()) return read_runs(line, row);
        return fail(fmt::format("row {} has {} pixels instead of {}", row, length, line.size()));
      }
    }
    m_at = begin;
    return read_plain(line, row);
  }

  /// New run lengths: one component after the other.
  Result<void> read_runs(std::vector<Rgbe>& line, std::size_t row) {
    for (std::size_t c = 0; c < 4; ++c) {
      for (std::size_t x = 0; x < line.size();) {
        const auto code = next();
        if (!code) return truncated(row);
        const bool run = *code > 128;
        const std::size_t count = run ? *code - 128U : *code;
        if (count == 0 || count > line.size() - x) {
          return fail(fmt::format("a run of {} pixels does not fit into row {} at pixel {}", count,
                                  row, x + 1));
        }
        if (m_bytes.size() - m_at < (run ? 1 : count)) return truncated(row);
        for (std::size_t k = 0; k < count; ++k) {
          line[x + k][c] = static_cast<std::uint8_t>(m_bytes[run ? m_at : m_at + k]);
        }
        m_at += run ? 1 : count;
        x += count;
      }
    }
    return {};
  }

  /// Whole pixels. 1 1 1 n repeats the last one n times; repeats in a row are digits to base 256.
  Result<void> read_plain(std::vector<Rgbe>& line, std::size_t row) {
    unsigned shift = 0;
    for (std::size_t x = 0; x < line.size();) {
      const auto pixel = next_pixel();
      if (!pixel) return truncated(row);
      if ((*pixel)[0] != 1 || (*pixel)[1] != 1 || (*pixel)[2] != 1) {
        line[x++] = *pixel;
        shift = 0;
        continue;
      }
      const std::size_t count = shift < 32 ? std::size_t{(*pixel)[3]} << shift : line.size();
      if (x == 0 || count > line.size() - x) {
        return fail(fmt::format("a repeat of {} pixels does not fit into row {} at pixel {}", count,
                                row, x + 1));
      }
      const Rgbe last = line[x - 1];
      for (std::size_t k = 0; k < count; ++k) line[x++] = last;
      shift += 8;
    }
    return {};
  }

  /// Ward's decoding: a component m with the exponent e is (m + 1/2) 2^(e - 136).
  Result<void> store(const std::vector<Rgbe>& pixels, RadianceImage& image) const {
    constexpr int kBias = 136;
    image.rgb.resize(3 * pixels.size());
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const std::size_t line = i / m_header.length;
      const std::size_t along = i % m_header.length;
      std::size_t x = m_header.pixels_rise ? along : m_header.length - 1 - along;
      std::size_t y = m_header.lines_fall ? line : m_header.lines - 1 - line;
      if (m_header.transposed) {
        // Lines run along X and pixels along Y, whose rising direction is up.
        x = m_header.lines_fall ? m_header.lines - 1 - line : line;
        y = m_header.pixels_rise ? m_header.length - 1 - along : along;
      }
      for (std::size_t c = 0; c < 3; ++c) {
        const auto value = static_cast<float>(
            pixels[i][3] == 0
                ? 0
                : std::ldexp(pixels[i][c] + 0.5, pixels[i][3] - kBias) / m_header.scale[c]);
        if (!std::isfinite(value)) {
          return fail(fmt::format("a pixel of row {} is too bright after its exposure", y + 1));
        }
        image.rgb[3 * (y * image.width + x) + c] = value;
      }
    }
    return {};
  }

  std::span<const std::byte> m_bytes;
  std::string_view m_name;
  ImageLimits m_limits;
  HdrHeader m_header;
  std::size_t m_at = 0;
};

}  // namespace

Result<RadianceImage> read_hdr(std::span<const std::byte> bytes, std::string_view name,
                               const ImageLimits& limits) {
  return HdrReader(bytes, name, limits).read();
}

Result<RadianceImage> read_hdr_panorama(std::span<const std::byte> bytes, std::string_view name,
                                        const ImageLimits& limits) {
  SUPPLE_TRY(RadianceImage image, read_hdr(bytes, name, limits));
  if (image.width == 2 * image.height) return image;
  return bad_input(fmt::format("the picture has {} x {} pixels; a panorama of all directions is "
                               "twice as wide as high",
                               image.width, image.height))
      .at(name);
}

}  // namespace supple::io
