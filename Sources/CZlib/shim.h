#ifndef YAP_CZLIB_H
#define YAP_CZLIB_H

#include <zlib.h>

/// `inflateInit2` is a macro. With 32 added to the window's bits zlib tells gzip from zlib by the header.
static inline int yap_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 32); }

#endif
