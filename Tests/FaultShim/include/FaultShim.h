// A library for LD_PRELOAD that watches what a process does to the files under one folder, and lets it go wrong.
//
//     HEALTHJOURNAL_FAULT_ROOT   the folder, an absolute path
//     HEALTHJOURNAL_FAULT_TRACE  a file that takes a record of each step and of each line printed
//     HEALTHJOURNAL_FAULT_PLAN   "ACTION KIND FIRST COUNT ERRNO", what goes wrong (below)
//     HEALTHJOURNAL_FAULT_BOOT   a file to be read in the place of the kernel's boot id
//     HEALTHJOURNAL_FAULT_MARK   a file that is made when the plan strikes for the first time
//
// ACTION  kill-before  kill-after  kill-within (half of a write is done)
//         fail         fail-after (done, yet reported as failed)  short (half of a write is done, and said so)
//         swallow      nothing is done, and success is reported
// KIND    write  sync  size  name  open  any (all but open): what is counted. FIRST counts from 1, COUNT 0 is for ever.
//
// There is nothing to call: a test reads the trace.
#ifndef FAULT_SHIM_H
#define FAULT_SHIM_H

#include <stdint.h>

// What a record of the trace tells.
enum fault_shim_record {
    FAULT_SHIM_OPEN = 1,       // file, offset 1 if it was made, 2 if it was emptied; payload: its path from the root
    FAULT_SHIM_WRITE = 2,      // file, offset; payload: the bytes
    FAULT_SHIM_WRITE_THROUGH,  // the same, to a file opened with O_DSYNC
    FAULT_SHIM_SYNC,           // file; offset and length of a part of it, or both 0
    FAULT_SHIM_SIZE,           // file, offset: its size from now on
    FAULT_SHIM_RENAME,         // payload: the old path, a zero, the new path
    FAULT_SHIM_UNLINK,         // payload: a path
    FAULT_SHIM_MAKE_FOLDER,    // payload: a path
    FAULT_SHIM_SYNC_FOLDER,    // payload: a path
    FAULT_SHIM_SAID,           // payload: what was written to the standard output
    FAULT_SHIM_SYNC_FAILED,    // file
};

// Each record but those of syncs and sizes is followed by a payload, which is as long as it says.
struct fault_shim_header {
    uint32_t record;
    uint32_t file;
    uint64_t offset;
    uint64_t length;
};

#endif
