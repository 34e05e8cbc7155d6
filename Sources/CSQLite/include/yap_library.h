#ifndef YAP_LIBRARY_H
#define YAP_LIBRARY_H

// Configures the SQLite library of the process for connections that work at the same time. Does nothing once the library is in use.
void yap_configure_library(void);

#endif
