#include "CCrypto.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What libcrypto declares, as far as it is used; the same in 1.1 and 3.
typedef struct evp_md_st EVP_MD;
typedef struct evp_cipher_st EVP_CIPHER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct hmac_ctx_st HMAC_CTX;
typedef struct engine_st ENGINE;

// Each function as type, name and parameters.
#define EACH_FUNCTION(DO) \
    DO(const EVP_MD *, EVP_sha1, (void)) \
    DO(const EVP_MD *, EVP_sha256, (void)) \
    DO(const EVP_MD *, EVP_sha512, (void)) \
    DO(const EVP_CIPHER *, EVP_aes_256_cbc, (void)) \
    DO(int, PKCS5_PBKDF2_HMAC, \
       (const char *, int, const unsigned char *, int, int, const EVP_MD *, int, unsigned char *)) \
    DO(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void)) \
    DO(void, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX *)) \
    DO(int, EVP_CIPHER_CTX_set_padding, (EVP_CIPHER_CTX *, int)) \
    DO(int, EVP_DecryptInit_ex, \
       (EVP_CIPHER_CTX *, const EVP_CIPHER *, ENGINE *, const unsigned char *, const unsigned char *)) \
    DO(int, EVP_DecryptUpdate, (EVP_CIPHER_CTX *, unsigned char *, int *, const unsigned char *, int)) \
    DO(HMAC_CTX *, HMAC_CTX_new, (void)) \
    DO(void, HMAC_CTX_free, (HMAC_CTX *)) \
    DO(int, HMAC_Init_ex, (HMAC_CTX *, const void *, int, const EVP_MD *, ENGINE *)) \
    DO(int, HMAC_Update, (HMAC_CTX *, const unsigned char *, size_t)) \
    DO(int, HMAC_Final, (HMAC_CTX *, unsigned char *, unsigned int *)) \
    DO(void, OPENSSL_cleanse, (void *, size_t))

static struct {
#define DECLARE(result, name, parameters) result(*name) parameters;
    EACH_FUNCTION(DECLARE)
} crypto;

static bool is_loaded = false;

static void load(void) {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) library = dlopen("libcrypto.so.1.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    bool has_all = true;
#define FIND(result, name, parameters) \
    *(void **)&crypto.name = dlsym(library, #name); \
    has_all = has_all && crypto.name != NULL;
    EACH_FUNCTION(FIND)
    is_loaded = has_all;
}

bool yap_load_libcrypto(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

static const EVP_MD *hash_function(int hash) {
    return hash == yap_sha1 ? crypto.EVP_sha1() : hash == yap_sha256 ? crypto.EVP_sha256() : crypto.EVP_sha512();
}

bool yap_derive_key(int hash, const void *secret, size_t secret_size, const void *salt, size_t salt_size, int iterations,
                    void *key, size_t key_size) {
    return crypto.PKCS5_PBKDF2_HMAC(secret, (int)secret_size, salt, (int)salt_size, iterations, hash_function(hash),
                                    (int)key_size, key) == 1;
}

enum { key_size = 32, block_size = 16 };

// What one thread needs to decrypt. Making it costs as much as decrypting a page.
struct worker {
    EVP_CIPHER_CTX *decryption;
    HMAC_CTX *authentication;
    struct worker *next;
};

struct yap_page_cipher {
    unsigned char key[key_size];
    unsigned char authentication_key[key_size];
    int hash;
    pthread_mutex_t mutex;
    struct worker *idle;
};

struct yap_page_cipher *yap_page_cipher_new(const void *key, const void *authentication_key, int hash) {
    struct yap_page_cipher *cipher = calloc(1, sizeof *cipher);
    if (cipher == NULL) return NULL;
    memcpy(cipher->key, key, key_size);
    memcpy(cipher->authentication_key, authentication_key, key_size);
    cipher->hash = hash;
    pthread_mutex_init(&cipher->mutex, NULL);
    return cipher;
}

static void free_worker(struct worker *worker) {
    if (worker->decryption) crypto.EVP_CIPHER_CTX_free(worker->decryption);
    if (worker->authentication) crypto.HMAC_CTX_free(worker->authentication);
    free(worker);
}

void yap_page_cipher_free(struct yap_page_cipher *cipher) {
    while (cipher->idle) {
        struct worker *worker = cipher->idle;
        cipher->idle = worker->next;
        free_worker(worker);
    }
    pthread_mutex_destroy(&cipher->mutex);
    crypto.OPENSSL_cleanse(cipher->key, key_size);
    crypto.OPENSSL_cleanse(cipher->authentication_key, key_size);
    free(cipher);
}

static struct worker *new_worker(struct yap_page_cipher *cipher) {
    struct worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL) return NULL;
    worker->decryption = crypto.EVP_CIPHER_CTX_new();
    bool is_good = worker->decryption
        && crypto.EVP_DecryptInit_ex(worker->decryption, crypto.EVP_aes_256_cbc(), NULL, cipher->key, NULL) == 1
        && crypto.EVP_CIPHER_CTX_set_padding(worker->decryption, 0) == 1;
    if (cipher->hash) {
        worker->authentication = crypto.HMAC_CTX_new();
        is_good = is_good && worker->authentication
            && crypto.HMAC_Init_ex(worker->authentication, cipher->authentication_key, key_size,
                                   hash_function(cipher->hash), NULL) == 1;
    }
    if (is_good) return worker;
    free_worker(worker);
    return NULL;
}

static struct worker *take_worker(struct yap_page_cipher *cipher) {
    pthread_mutex_lock(&cipher->mutex);
    struct worker *worker = cipher->idle;
    if (worker) cipher->idle = worker->next;
    pthread_mutex_unlock(&cipher->mutex);
    return worker ? worker : new_worker(cipher);
}

static void return_worker(struct yap_page_cipher *cipher, struct worker *worker) {
    pthread_mutex_lock(&cipher->mutex);
    worker->next = cipher->idle;
    cipher->idle = worker;
    pthread_mutex_unlock(&cipher->mutex);
}

// The code covers ciphertext, vector and the page's number in little-endian form.
static int authenticate(struct worker *worker, int hash, unsigned page, const unsigned char *stored, size_t count) {
    unsigned char code[yap_sha512];
    unsigned code_size = 0;
    const unsigned char number[4] = {(unsigned char)page, (unsigned char)(page >> 8), (unsigned char)(page >> 16),
                                     (unsigned char)(page >> 24)};
    HMAC_CTX *context = worker->authentication;
    // Without a key it begins again with the one that it has.
    if (crypto.HMAC_Init_ex(context, NULL, 0, NULL, NULL) != 1
        || crypto.HMAC_Update(context, stored, count + block_size) != 1
        || crypto.HMAC_Update(context, number, sizeof number) != 1
        || crypto.HMAC_Final(context, code, &code_size) != 1 || code_size != (unsigned)hash)
        return yap_page_failed;
    return memcmp(code, stored + count + block_size, (size_t)hash) == 0 ? yap_page_good : yap_page_damaged;
}

static int decrypt(struct worker *worker, const unsigned char *stored, size_t count, unsigned char *plain) {
    int written = 0;
    if (crypto.EVP_DecryptInit_ex(worker->decryption, NULL, NULL, NULL, stored + count) != 1
        || crypto.EVP_DecryptUpdate(worker->decryption, plain, &written, stored, (int)count) != 1
        || (size_t)written != count)
        return yap_page_failed;
    return yap_page_good;
}

int yap_page_cipher_decrypt(struct yap_page_cipher *cipher, unsigned page, const void *stored, size_t count, void *plain) {
    struct worker *worker = take_worker(cipher);
    if (worker == NULL) return yap_page_failed;
    int status = cipher->hash ? authenticate(worker, cipher->hash, page, stored, count) : yap_page_good;
    if (status == yap_page_good) status = decrypt(worker, stored, count, plain);
    if (status == yap_page_failed) {
        // Its state is unknown.
        free_worker(worker);
    } else {
        return_worker(cipher, worker);
    }
    return status;
}
