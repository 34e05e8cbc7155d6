#ifndef YAP_CZLIB_H
#define YAP_CZLIB_H

#include <zlib.h>

/// `inflateInit2` is a macro. Adding 32 to the window's bits makes zlib detect gzip and zlib by the header.
static inline int yap_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 32); }

#endif
