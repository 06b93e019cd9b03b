// The C declarations that only the Cipher target uses: the ciphers and digests of libcrypto, and getrandom(2).
#include <openssl/evp.h>
#include <sys/random.h>
