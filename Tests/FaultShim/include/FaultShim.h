// A library for LD_PRELOAD that records the operations of a process on the files below one folder, and injects faults.
//
//     HEALTHJOURNAL_FAULT_ROOT   the folder, an absolute path
//     HEALTHJOURNAL_FAULT_TRACE  a file to which each step and each printed line is recorded
//     HEALTHJOURNAL_FAULT_PLAN   "ACTION KIND FIRST COUNT ERRNO": the fault (see below)
//     HEALTHJOURNAL_FAULT_BOOT   a file that is read instead of the kernel's boot id
//     HEALTHJOURNAL_FAULT_MARK   a file that is created when the plan takes effect for the first time
//
// ACTION  kill-before  kill-after  kill-within (after half of a write)
//         fail         fail-after (done, but reported as failed)  short (half of a write is done and reported)
//         swallow      nothing is done, and success is reported
// KIND    write  sync  size  name  open  any (all but open): the calls that are counted
// FIRST   the first call that fails, counted from 1; COUNT calls fail, or all from then on if COUNT is 0
//
// There are no functions to call: a test reads the trace.
#ifndef FAULT_SHIM_H
#define FAULT_SHIM_H

#include <stdint.h>

// The kinds of records in a trace.
enum fault_shim_record {
    FAULT_SHIM_OPEN = 1,       // file; offset: 1 if created, plus 2 if truncated; payload: its path from the root
    FAULT_SHIM_WRITE = 2,      // file, offset; payload: the bytes
    FAULT_SHIM_WRITE_THROUGH,  // the same, to a file opened with O_DSYNC
    FAULT_SHIM_SYNC,           // file; offset and length of the synced part, or both 0 for the whole file
    FAULT_SHIM_SIZE,           // file; offset: its new size
    FAULT_SHIM_RENAME,         // payload: the old path, a zero, the new path
    FAULT_SHIM_UNLINK,         // payload: a path
    FAULT_SHIM_MAKE_FOLDER,    // payload: a path
    FAULT_SHIM_SYNC_FOLDER,    // payload: a path
    FAULT_SHIM_SAID,           // payload: what was written to the standard output
    FAULT_SHIM_SYNC_FAILED,    // file
};

// The header of a record. It is followed by a payload of `length` bytes, except for FAULT_SHIM_SYNC, FAULT_SHIM_SIZE
// and FAULT_SHIM_SYNC_FAILED.
struct fault_shim_header {
    uint32_t record;
    uint32_t file;
    uint64_t offset;
    uint64_t length;
};

#endif
