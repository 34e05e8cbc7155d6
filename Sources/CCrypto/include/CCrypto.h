#ifndef YAP_CCRYPTO_H
#define YAP_CCRYPTO_H

#include <stdbool.h>
#include <stddef.h>

// Loads libcrypto of OpenSSL 3 or 1.1 at its first use; it is not linked, because few files are encrypted. The functions that are used
// are declared here, so that building needs no header of it. Everything below may be called once this was true; false if the system
// has no libcrypto.
bool yap_load_libcrypto(void);

// The hash functions that SQLCipher uses. The values are the sizes in bytes.
enum { yap_sha1 = 20, yap_sha256 = 32, yap_sha512 = 64 };

// PBKDF2. Returns false without memory, or if the system's rules forbid the hash function.
bool yap_derive_key(int hash, const void *secret, size_t secret_size, const void *salt, size_t salt_size, int iterations,
                    void *key, size_t key_size);

// Decrypts pages; for any number of threads at the same time.
struct yap_page_cipher;

// Takes keys of 32 bytes. With hash 0 pages have no authentication code. Returns null without memory.
struct yap_page_cipher *yap_page_cipher_new(const void *key, const void *authentication_key, int hash);
void yap_page_cipher_free(struct yap_page_cipher *cipher);

enum { yap_page_good, yap_page_damaged, yap_page_failed };

// Decrypts `count` bytes, a multiple of 16, behind which there are 16 bytes of initialization vector and the authentication code.
// Returns yap_page_damaged if the code does not fit; yap_page_failed without memory.
int yap_page_cipher_decrypt(struct yap_page_cipher *cipher, unsigned page, const void *stored, size_t count, void *plain);

#endif
