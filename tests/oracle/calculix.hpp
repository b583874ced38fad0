// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace supple::oracle {

/// What CalculiX prints in a .dat file after a *FREQUENCY step.
struct CalculixModes {
  std::vector<double> frequencies_hz;
  std::vector<Eigen::Matrix<double, 6, 1>> participation;
};

inline CalculixModes read_dat(const std::filesystem::path& path) {
  CalculixModes modes;
  enum class Table { None, Eigenvalues, Participation } table = Table::None;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.find("E I G E N V A L U E") != std::string::npos) table = Table::Eigenvalues;
    if (line.find("P A R T I C I P A T I O N") != std::string::npos) table = Table::Participation;
    if (line.find("E F F E C T I V E") != std::string::npos) table = Table::None;
    std::istringstream text(line);
    int mode = 0;
    if (table == Table::None || !(text >> mode)) continue;
    std::vector<double> values;
    for (double value = 0; text >> value;) values.push_back(value);
    if (table == Table::Eigenvalues && values.size() >= 3) {
      modes.frequencies_hz.push_back(values[2]);
    } else if (table == Table::Participation && values.size() == 6) {
      modes.participation.emplace_back(
          Eigen::Map<const Eigen::Matrix<double, 6, 1>>(values.data()));
    }
  }
  return modes;
}

inline bool have_calculix() {
  return std::filesystem::exists("/usr/bin/ccx") || std::filesystem::exists("/usr/local/bin/ccx");
}

}  // namespace supple::oracle
