#include <zlib.h>

// Macros, which Swift does not import.
static inline int healthjournal_inflate_init_raw(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }
static inline int healthjournal_deflate_init_raw(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
