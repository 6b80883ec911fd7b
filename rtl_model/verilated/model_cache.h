// SPDX-License-Identifier: Apache-2.0
// The folder in which model libraries are kept: one folder for each library, one for the code that
// they have in common, and, while something is being built, a work folder that goes with the
// process that made it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace allport {

/// ALLPORT_CACHE, or allport in XDG_CACHE_HOME or ~/.cache, or, without a home, allport-UID in the
/// folder for temporary files.
std::filesystem::path cache_folder();

/// The same, made if it is not there, without what processes that are gone have left in it. Throws
/// std::invalid_argument: it cannot be made, or, where everybody may write, it is somebody else's.
std::filesystem::path open_cache();

/// A folder in the cache that this process alone works in; removed with the object, unless it has
/// been moved, and by open_cache() when the process was killed.
class WorkFolder {
 public:
  /// `name`: what it is for; the number of the process is added.
  explicit WorkFolder(const std::string& name);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // held for as long as the process lives
};

/// The names of the files in a folder of the cache that were made there.
using Products = std::vector<std::string>;

/// Writes down what the `products` in `folder` were built from: the last thing to do in it.
void seal(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& sources,
          const Products& products);
/// Whether `folder` has been sealed, and neither sources nor products have changed since.
bool is_current(const std::filesystem::path& folder, const Products& products);
/// Puts `work` in the place of `folder`, which is out of date or damaged. Throws
/// std::invalid_argument when it cannot, unless another process just did.
void replace(const std::filesystem::path& folder, const std::filesystem::path& work,
             const Products& products);

}  // namespace allport
