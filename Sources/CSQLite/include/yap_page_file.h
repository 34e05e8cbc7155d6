#ifndef YAP_PAGE_FILE_H
#define YAP_PAGE_FILE_H

#include <sqlite3.h>

// How the pages of a file are stored otherwise than SQLite reads them. `decode` makes `page_size` plain bytes of as many stored ones, on
// any thread, and returns 0 if the page is damaged. `release` is called when SQLite has closed the file, or could not open it.
struct yap_page_decoder {
    int page_size;
    int reserved;  // bytes at the end of each plain page
    void *context;
    int (*decode)(void *context, unsigned page, const void *stored, void *plain);
    void (*release)(void *context);
};

// Makes the first 100 bytes of a file whose first page is damaged, as far as they are known.
void yap_make_header(int page_size, int reserved, unsigned char *header);

// Opens a file for reading whose pages, and those of its log, are decoded whenever SQLite reads them. `vfs` in a URI may be
// "yap-decoded-none", which is SQLite's "unix-none" with decoding. A damaged page is SQLITE_IOERR_DATA.
int yap_open_decoded(const char *name, sqlite3 **handle, int flags, const struct yap_page_decoder *decoder);

#endif
