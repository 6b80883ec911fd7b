// SPDX-License-Identifier: Apache-2.0
// This file has no code of its own: its target compiles the headers that tests share.
