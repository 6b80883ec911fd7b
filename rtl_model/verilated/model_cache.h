// SPDX-License-Identifier: Apache-2.0
// Model libraries are kept in the cache folder, which has one folder for each library, one for the
// code that they have in common, and, while something is being built, a work folder that goes with
// the process that made it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace allport {

/// ALLPORT_CACHE, or allport in XDG_CACHE_HOME or ~/.cache, or, without a home, allport-UID in the
/// folder for temporary files.
std::filesystem::path cache_folder();

/// The same folder, created if it does not exist, and cleared of what ended processes have left in
/// it. Throws std::invalid_argument if it cannot be created or if, where everybody may write, it
/// belongs to somebody else.
std::filesystem::path open_cache();

/// A folder in the cache that only this process works in; removed with the object, unless it has
/// been moved, and by open_cache() if the process was killed.
class WorkFolder {
 public:
  /// `name` says what it is for; the number of the process is added.
  explicit WorkFolder(const std::string& name);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // held for as long as the process lives
};

/// The names of the files that were made in a folder of the cache.
using Products = std::vector<std::string>;

/// Records what the `products` in `folder` were built from; this is the last thing to do in it.
void seal(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& sources,
          const Products& products);
/// Whether `folder` has been sealed, and neither sources nor products have changed since.
bool is_current(const std::filesystem::path& folder, const Products& products);
/// Replaces `folder`, which is out of date or damaged, by `work`. Throws std::invalid_argument if
/// it cannot, unless another process has just done so.
void replace(const std::filesystem::path& folder, const std::filesystem::path& work,
             const Products& products);

}  // namespace allport
