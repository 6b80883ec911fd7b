// SPDX-License-Identifier: Apache-2.0
// Nothing of its own: its target compiles the headers that tests share.
