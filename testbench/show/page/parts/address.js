// The view of a page of many points, or of a comparison, in its address: name=value behind #,
// separated by &. What is no view, such as the name of a section, is left alone.
const pageAddress = {
  /// The pairs [name, value] in the address.
  read() {
    const text = location.hash.slice(1);
    if (!text.includes("=")) return [];
    return text.split("&").filter((part) => part !== "").map((part) => {
      const [name, ...rest] = part.split("=");
      const decoded = (words) => {
        try {
          return decodeURIComponent(words);
        } catch (error) {
          return words;
        }
      };
      return [decoded(name), decoded(rest.join("="))];
    });
  },

  /// Replaces the view in the address.
  write(pairs) {
    const encoded = (words) => encodeURIComponent(words).replace(/%2C/g, ",").replace(/%3A/g, ":");
    const text = pairs.map(([name, value]) => encoded(name) + "=" + encoded(value)).join("&");
    history.replaceState(null, "", "#" + text);
  },

  /// Calls `change` when somebody edits the address, or follows a link with a view.
  heed(change) {
    addEventListener("hashchange", () => {
      if (location.hash.includes("=")) change();
    });
  },
};

/// Sentences about pairs that make no sense, each with its reason.
function ignoredPairs(problems) {
  return problems.map(([name, value, reason]) =>
    "Ignored in the address: \u201c" + name + (value === "" ? "" : "=" + value) + "\u201d " + reason + ".");
}
