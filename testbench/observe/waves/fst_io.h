/* SPDX-License-Identifier: Apache-2.0 */
/* Through these functions GTKWave's writer, which is C, reaches its files. It maps some of them
   into memory and ignores what write calls return: on a full disk it would die of SIGBUS or leave
   out data without a word. So it gets copies in memory instead of maps, and what a file has lost
   is noted when it is closed. The library includes this header as its configuration
   (FST_CONFIG_INCLUDE). */
#ifndef ALLPORT_FST_IO_H
#define ALLPORT_FST_IO_H

#include <fst_config.h>
#include <stdio.h> /* NOLINT(modernize-deprecated-headers): C has no <cstdio> */
#include <sys/mman.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As mmap(): a copy of the first `length` bytes of `file`; zeros, and a loss is noted, where the
   file has not that many. Nothing is written back: the writer changes a map only after its file is
   complete, which holds as long as variables are declared before values change. */
void* allport_fst_map(void* place, size_t length, int protection, int flags, int file,
                      off_t offset);
/* As fclose(): a loss is noted unless all that was written is in the file. */
int allport_fst_close(FILE* file);
/* The losses since the program began. */
unsigned long allport_fst_losses(void);

#ifdef __cplusplus
}
#else
#define mmap allport_fst_map
#define fclose allport_fst_close
#endif

#endif
