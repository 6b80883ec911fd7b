// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/trace_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <istream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "testbench/plan/file_kind.h"
#include "testbench/plan/input_file.h"

namespace allport {

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // of UTF-8

// The names of a Chakra trace end in `.et`, or in JSON.
constexpr std::array<std::string_view, 2> chakra_endings{".et", ".json"};

bool ends_in(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending;
}

bool is_binary_chakra(const std::string& name) { return ends_in(name, chakra_endings.front()); }

// The rank in `PREFIX.12.et`, `PREFIX.12.json` or `PREFIX.12.et.json`; none: there is no number.
std::optional<std::uint32_t> rank_of(std::string_view name) {
  const std::size_t whole = name.size();
  for (const std::string_view ending : {chakra_endings[1], chakra_endings[0]}) {
    if (ends_in(name, ending)) name.remove_suffix(ending.size());
  }
  name.remove_prefix(name.find_last_of("./") + 1);
  std::uint32_t rank = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), rank);
  const bool is_rank = error == std::errc{} && stop == name.data() + name.size();
  return name.size() < whole && is_rank ? std::make_optional(rank) : std::nullopt;
}

TraceFile read_file(const std::string& name) {
  TraceFile file;
  read_input(name, "the trace", [&](std::istream& in, const std::string& shown_name) {
    file.name = shown_name;
    file.text.assign(std::istreambuf_iterator<char>(in), {});
    std::error_code none;
    const bool is_folder = name != "-" && fs::is_directory(name, none);
    if (in.bad() || is_folder) {
      throw std::invalid_argument(fmt::format("the trace {} cannot be read to its end: {}",
                                              shown_path(name),
                                              std::strerror(is_folder ? EISDIR : errno)));
    }
    const bool has_mark = file.text.compare(0, byte_order_mark.size(), byte_order_mark) == 0;
    if (has_mark && !is_binary_chakra(name)) {
      file.text.erase(0, byte_order_mark.size());
    }
  });
  return file;
}

// The files of a folder, without hidden ones, by name.
Names files_in(const std::string& folder) {
  Names names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (entry->is_regular_file() && name.front() != '.') names.push_back(entry->path().string());
  }
  if (error || names.empty()) {
    throw std::invalid_argument(
        fmt::format("the folder {} {}", shown_path(folder),
                    error ? "cannot be read: " + error.message() : "has no files"));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The files PREFIX.RANK.et, whatever ranks they have, or PREFIX.RANK.json; other files in the
// folder may begin alike.
Names with_prefix(const std::string& prefix) {
  const fs::path folder = fs::path(prefix).parent_path();
  const std::string begin = fs::path(prefix).filename().string() + '.';
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  std::array<Names, chakra_endings.size()> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    for (std::size_t i = 0; i < chakra_endings.size(); ++i) {
      const std::size_t others = begin.size() + chakra_endings[i].size();
      if (name.size() <= others || !ends_in(name, chakra_endings[i]) ||
          name.compare(0, begin.size(), begin) != 0 ||
          !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(begin.size()),
                       name.end() - static_cast<std::ptrdiff_t>(chakra_endings[i].size()),
                       is_digit)) {
        continue;
      }
      names[i].push_back((folder / name).string());
    }
  }
  return names.front().empty() ? names.back() : names.front();
}

Names all_files(const Names& names) {
  Names all;
  for (const std::string& name : names) {
    Names some{name};
    std::error_code none;
    if (name != "-" && fs::is_directory(name, none)) {
      some = files_in(name);
    } else if (name != "-" && !fs::exists(name, none)) {
      if (Names files = with_prefix(name); !files.empty()) some = std::move(files);
    }
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<TraceFile> chakra_files(const Names& names) {
  std::map<std::uint32_t, std::string> by_rank;
  for (const std::string& name : names) {
    const auto rank = rank_of(name);
    if (!rank) {
      throw std::invalid_argument(fmt::format(
          "{}: the files of a Chakra trace must be called PREFIX.RANK.et, or PREFIX.RANK.json",
          shown_path(name)));
    }
    const auto [found, is_new] = by_rank.emplace(*rank, name);
    if (!is_new) {
      throw std::invalid_argument(fmt::format("{}: rank {} is in {} already", shown_path(name),
                                              *rank, shown_path(found->second)));
    }
  }
  std::vector<TraceFile> files;
  for (const auto& [rank, name] : by_rank) {
    if (rank != files.size()) {
      throw std::invalid_argument(
          fmt::format("{}: it is the trace of rank {}, and rank {} has none", shown_path(name),
                      rank, files.size()));
    }
    files.push_back(read_file(name));
  }
  return files;
}

// The files that `list` names, one a line, in its folder; none if it names something else.
std::optional<Names> listed_files(const TraceFile& list) {
  Names names;
  for (std::size_t begin = 0; begin < list.text.size();) {
    const std::size_t end = std::min(list.text.find('\n', begin), list.text.size());
    std::string line = list.text.substr(begin, end - begin);
    begin = end + 1;
    line.erase(line.find_last_not_of(" \t\r") + 1);
    line.erase(0, line.find_first_not_of(" \t"));
    if (line.empty() || line.front() == '#') continue;
    const std::string name = (fs::path(list.name).parent_path() / line).string();
    std::error_code none;
    if (!fs::is_regular_file(name, none)) return std::nullopt;
    names.push_back(name);
  }
  return names.empty() ? std::nullopt : std::make_optional(names);
}

// Throws for a file that is known to be something else.
void refuse_others(const TraceFile& file) {
  std::uint32_t number = 0;
  first_line(file.text, number);
  require_kind(file.text, FileKind::unknown, fmt::format("{}:{}", shown_path(file.name), number),
               "trace");
}

[[noreturn]] void refuse(const TraceFile& file) {
  std::uint32_t number = 0;
  const std::string_view line = first_line(file.text, number);
  if (line.empty()) {
    throw std::invalid_argument(shown_path(file.name) + ": there is nothing in it");
  }
  refuse_others(file);
  std::string begins;
  for (const WorkloadFormat& format : workload_formats()) {
    if (format.beginning.empty()) continue;
    const bool is_last = format.name == workload_formats().back().name;
    const char* joint = is_last ? " or " : ", ";
    begins +=
        fmt::format("{}of a {} ({})", begins.empty() ? "" : joint, format.file, format.beginning);
  }
  throw std::invalid_argument(fmt::format(
      "{}:{}: this is not the beginning {}, and not a list of files: {}", shown_path(file.name),
      number, begins, in_quotes(line.substr(0, line.find('\n')))));
}

// The format of `file`; none: it is of none.
std::optional<WorkloadFormat> format_of(const TraceFile& file) {
  std::uint32_t number = 0;
  const std::string_view line = first_line(file.text, number);
  for (const WorkloadFormat& format : workload_formats()) {
    if (format.is == nullptr ? format.begins(line, file.text) : format.is(file.text)) return format;
  }
  if (line.substr(0, 1) != "{") return std::nullopt;
  refuse_others(file);
  return tasks_format();  // it may be torn
}

std::vector<TraceFile> read_files(const Names& names) {
  std::vector<TraceFile> files;
  for (const std::string& name : names) files.push_back(read_file(name));
  return files;
}

}  // namespace

std::vector<std::string> trace_inputs(const std::vector<std::string>& names) {
  const Names all = all_files(names);
  Names inputs = names;
  inputs.insert(inputs.end(), all.begin(), all.end());
  std::error_code none;
  const bool may_be_list =
      all.size() == 1 && !is_binary_chakra(all.front()) && fs::is_regular_file(all.front(), none);
  const auto listed = may_be_list ? listed_files(read_file(all.front())) : std::nullopt;
  if (listed) inputs.insert(inputs.end(), listed->begin(), listed->end());
  return inputs;
}

TraceFiles load_trace(const std::vector<std::string>& names) {
  const Names all = all_files(names);
  if (std::any_of(all.begin(), all.end(), is_binary_chakra)) {
    return {chakra_format(), chakra_files(all)};
  }
  std::vector<TraceFile> files = read_files(all);
  const auto format = format_of(files.front());
  if (!format) {
    const auto listed = files.size() == 1 ? listed_files(files.front()) : std::nullopt;
    if (!listed) refuse(files.front());
    return {simgrid_format(), read_files(*listed)};
  }
  if (format->files == WorkloadFormat::Files::by_rank) return {*format, chakra_files(all)};
  if (format->files == WorkloadFormat::Files::one && files.size() > 1) {
    throw std::invalid_argument(fmt::format(
        "{}: a {} has all ranks, so it must be the only one; more are jobs of their own (--job)",
        shown_path(files.front().name), format->file));
  }
  return {*format, std::move(files)};
}

}  // namespace allport
