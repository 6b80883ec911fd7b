// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <vector>

#include "testbench/program/options/options.h"
#include "testbench/program/terminal/fold.h"

namespace allport {

const char* const program_description =
    "Cycle-accurate all-port wormhole routers and collective communication on hypercubes, tori, meshes and rings.";

namespace {

constexpr std::size_t margin = 2;

// A name, and what it is, which begins at `column` of the same line if the name leaves room.
std::string item(const std::string& name, const std::string& text, std::size_t column,
                 std::size_t width) {
  std::string line = std::string(margin, ' ') + name;
  if (line.size() + margin > column) {
    line = folded(name, margin, column, width);
    line.insert(0, margin, ' ');
    line += '\n';
    line.append(column, ' ');
  } else {
    line.resize(column, ' ');
  }
  return line + folded(text, column, column, width) + '\n';
}

std::size_t column_of(std::size_t width) { return std::min<std::size_t>(34, width * 2 / 5); }

// A line that stays as it is, `  NAME   what it is`, or what is on such a line without a name; one
// that does not fit is folded in its column.
std::string in_columns(const std::string& line, std::size_t width) {
  constexpr std::size_t least = 24;  // columns for words
  if (line.size() <= width) return line + '\n';
  const std::size_t begin = line.find_first_not_of(' ');
  const std::size_t end = line.find("  ", begin);
  const std::size_t column = end == std::string::npos ? begin : line.find_first_not_of(' ', end);
  const std::size_t indent = column + least <= width ? column : 2 * margin;
  if (end != std::string::npos) {
    return item(line.substr(begin, end - begin), line.substr(column), indent, width);
  }
  const std::size_t hanging = begin == margin ? 2 * margin : indent;
  const std::size_t at = std::min(begin, indent);
  return std::string(at, ' ') + folded(line.substr(begin), at, hanging, width) + '\n';
}

std::string paragraphs(const std::string& text, std::size_t width) {
  std::string page;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    page +=
        line.substr(0, margin) == "  " ? in_columns(line, width) : folded(line, 0, 0, width) + '\n';
  }
  return page;
}

// A command line that a narrow terminal would break is broken as a shell reads it: behind a space
// that is in no quotes, with a backslash.
std::string shell_line(const std::string& line, std::size_t width) {
  constexpr std::size_t usual = 80;
  if (width >= usual) return "  " + line + '\n';
  std::vector<std::string> words{""};
  char quote = 0;
  for (const char c : line) {
    if (quote == 0 && c == ' ') {
      words.emplace_back();
      continue;
    }
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    }
    words.back() += c;
  }
  std::string text(margin, ' ');
  std::size_t at = margin;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t end = i + 1 < words.size() ? margin : 0;  // ` \` may follow
    if (i > 0 && at + 1 + words[i].size() + end > width && at > 2 * margin) {
      text += " \\\n" + std::string(2 * margin, ' ');
      at = 2 * margin;
    } else if (i > 0) {
      text += ' ';
      ++at;
    }
    text += words[i];
    at += words[i].size();
  }
  return text + '\n';
}

std::string options_of(const Command& command, std::string_view table, std::size_t width) {
  std::string text;
  for (const OptionSpec* spec : command.options) {
    if (spec->table != table) continue;
    std::string name = spec->letter != 0 ? fmt::format("-{}, ", spec->letter) : "";
    name += option_name(spec->key);
    if (!spec->value.empty()) {
      name += fmt::format(spec->bare.empty() ? " {}" : " [{}]", spec->value);
    }
    if (!spec->default_value.empty()) name += fmt::format(" [{}]", spec->default_value);
    text += item(name, std::string(spec->help), column_of(width), width);
  }
  return text;
}

std::string title(std::string_view table) {
  std::string text(table);
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return "\n" + text + ":\n";
}

// Tables of options in the order of their first one.
std::vector<std::string_view> tables_of(const Command& command) {
  std::vector<std::string_view> tables;
  for (const OptionSpec* spec : command.options) {
    if (std::find(tables.begin(), tables.end(), spec->table) == tables.end()) {
      tables.push_back(spec->table);
    }
  }
  return tables;
}

std::string examples_of(const Command& command, std::size_t width) {
  if (command.examples.empty()) return {};
  std::string text = command.examples.size() == 1 ? "\nExample:\n" : "\nExamples:\n";
  for (const std::string& example : command.examples) {
    std::istringstream lines(example);
    for (std::string line; std::getline(lines, line);) text += shell_line(line, width);
  }
  return text;
}

}  // namespace

std::string program_help(const std::vector<Command>& commands, std::size_t width) {
  std::string text = folded(program_description, 0, 0, width) +
                     "\n\nUsage: allport COMMAND [OPTION ..]\n       allport --version\n";
  std::string_view group;
  for (const Command& command : commands) {
    if (command.group != group) text += title(command.group);
    group = command.group;
    text += item(command.name, command.summary, 15, width);
  }
  text += title("options") + item("-h, --help", "print this help", 15, width) +
          item("--version", "print the version", 15, width) + "\nExamples:\n";
  for (const char* const example :
       {"allport list", "allport run --topology torus:8x8 --algorithm dcf --flits 64",
        "allport compare --topology torus:8x8 --collective allreduce --bytes 4KiB --ts 200"}) {
    text += shell_line(example, width);
  }
  text += '\n';
  return text +
         paragraphs(
             "Each command has its own --help, with its options, examples and the page of the documentation; `allport help COMMAND` prints it too. The guide begins in docs/user-guide.md.\n"
             "Exit status: 0 done and clean, 1 a finding, 2 wrong use, 3 the simulation is not complete.",
             width);
}

std::string command_help(const Command& command, std::size_t width) {
  const Positional& positional = command.positional;
  std::string usage = "Usage: allport " + command.name;
  if (!command.options.empty()) usage += " [OPTION ..]";
  if (!positional.name.empty()) {
    usage += " [" + positional.name + (positional.may_repeat ? " ..]" : "]");
  }
  std::string text = folded("allport " + command.name + ": " + command.summary, 0, 0, width) +
                     "\n\n" + usage + "\n";
  if (!positional.name.empty()) {
    text += item(positional.name, positional.help, column_of(width), width);
  }
  if (!command.words.empty()) text += "\n" + paragraphs(command.words, width);
  text += title("options") + item("-h, --help", "print this help", column_of(width), width) +
          options_of(command, "", width);
  for (const std::string_view table : tables_of(command)) {
    if (!table.empty()) text += title(table) + options_of(command, table, width);
  }
  return text + examples_of(command, width) + "\n" +
         folded("More in docs/" + command.page + "; `allport man " + command.name +
                    " | man -l -` is the same as a manual page.",
                0, 0, width) +
         "\n";
}

}  // namespace allport
