// The C that the Cipher target alone calls: the ciphers and digests of libcrypto, and getrandom(2).
#include <openssl/evp.h>
#include <sys/random.h>
