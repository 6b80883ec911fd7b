# SPDX-License-Identifier: Apache-2.0
"""What sentences call the files that this package writes for a call, which nobody has seen."""

import re

_words = {}  # by path


def call(path, word):
    """From now on sentences say `word` for the file `path`, and for a line of it."""
    _words[path] = word


def forget(path):
    _words.pop(path, None)


def in_words(sentence):
    for path, word in list(_words.items()):
        sentence = re.sub(f"(graph:)?{re.escape(path)}(:[0-9]+){{0,2}}", lambda _: word, sentence)
    return sentence
