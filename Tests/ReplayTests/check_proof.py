#!/usr/bin/env python3
"""Checks inclusion and consistency proofs of a health journal.

Written from the specifications alone, as an independent check of the journal's own tools: RFC 8032 (Ed25519), RFC 9162
(proofs, sections 2.1.3.2 and 2.1.4.2), c2sp.org/signed-note, c2sp.org/tlog-checkpoint, c2sp.org/tlog-proof. Needs only
Python 3.

    check_proof.py KEY PROOF [--hash HEX | --frame FILE] [--old-checkpoint FILE]
    check_proof.py KEY --batch       reads lines of these arguments, separated by tabs; prints a line for each

KEY is a file that contains the verifier key, or the key itself. Prints "ok ..." or "bad ...". Exits with 0 or 3; with
--batch, with 0.
"""

import base64
import hashlib
import re
import sys


class Bad(Exception):
    """The proof, a checkpoint or the key is invalid."""


# RFC 8032, section 5.1: the curve -x^2 + y^2 = 1 + d x^2 y^2 over the field of P elements.

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != sign else x


def decompress(data):
    number = int.from_bytes(data, "little")
    y, sign = number & (2**255 - 1), number >> 255
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def compress(point):
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def add(left, right):
    a = (left[1] - left[0]) * (right[1] - right[0]) % P
    b = (left[1] + left[0]) * (right[1] + right[0]) % P
    c = 2 * left[3] * right[3] * D % P
    e = 2 * left[2] * right[2] % P
    f, g, h, i = b - a, e - c, e + c, b + a
    return f * g % P, h * i % P, g * h % P, f * i % P


def multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)


def is_equal(left, right):
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def scalar_of(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def is_signature(public, message, signature):
    if len(public) != 32 or len(signature) != 64:
        return False
    key, point = decompress(public), decompress(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or point is None or scalar >= ORDER:
        return False
    return is_equal(multiply(scalar, BASE), add(point, multiply(scalar_of(signature[:32], public, message), key)))


def sign(seed, message):
    """Returns the public key of a seed and its signature of a message.

    This creates golden values for tests; checking needs no private key.
    """
    digest = hashlib.sha512(seed).digest()
    secret = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    public = compress(multiply(secret, BASE))
    nonce = scalar_of(digest[32:], message)
    point = compress(multiply(nonce, BASE))
    scalar = (nonce + scalar_of(point, public, message) * secret) % ORDER
    return public, point + scalar.to_bytes(32, "little")


# Text formats


def decoded(text, what):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise Bad(f"{what} is not base64") from error
    if base64.b64encode(data) != text:
        raise Bad(f"{what} is not canonical base64")
    return data


def decoded_hash(text, what):
    data = decoded(text, what)
    if len(data) != 32:
        raise Bad(f"{what} is not 32 bytes")
    return data


def decimal(text, what):
    if not re.fullmatch(rb"0|[1-9][0-9]*", text) or int(text) >= 2**64:
        raise Bad(f"{what} is not a number")
    return int(text)


def checked_name(data):
    name = data.decode("utf-8")
    if not name or "+" in name or any(character.isspace() for character in name):
        raise Bad("this is not the name of a key")
    return data


def parse_key(text):
    name, identifier, rest = text.rstrip(b"\n").split(b"+", 2)
    data = decoded(rest, "the key")
    if len(data) != 33 or data[0] != 1:
        raise Bad("the key is not an Ed25519 key")
    expected = hashlib.sha256(checked_name(name) + b"\n" + data).digest()[:4]
    if identifier != expected.hex().encode():
        raise Bad("the key's id does not match the key")
    return name, expected, data[1:]


def open_note(data, key):
    """Returns the text of a signed note. Raises `Bad` unless the key has signed it."""
    name, identifier, public = key
    if any(byte < 0x20 and byte != 0x0A for byte in data):
        raise Bad("there is a control character")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Bad("this is not UTF-8") from error
    end = data.rfind(b"\n\n")
    if end < 0 or not data.endswith(b"\n"):
        raise Bad("this is not a note")
    text, lines = data[: end + 1], data[end + 2 : -1].split(b"\n")
    is_signed = False
    for line in lines:
        words = line.split(b" ")
        if len(words) != 3 or words[0] != "\u2014".encode():
            raise Bad("this is not a signature")
        signature = decoded(words[2], "a signature")
        if len(signature) < 5:
            raise Bad("this is not a signature")
        if (checked_name(words[1]), signature[:4]) != (name, identifier):
            continue
        if not is_signature(public, text, signature[4:]):
            raise Bad("the signature is not from the key")
        is_signed = True
    if not is_signed:
        raise Bad("the key has not signed this")
    return text


def open_checkpoint(data, key):
    """Returns the size and the root of a signed checkpoint, whose origin must be the name of the key."""
    lines = open_note(data, key)[:-1].split(b"\n")
    if len(lines) < 3 or b"" in lines:
        raise Bad("this is not a checkpoint")
    if lines[0] != key[0]:
        raise Bad("the checkpoint belongs to another log")
    return decimal(lines[1], "the size"), decoded_hash(lines[2], "the root")


# RFC 9162


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def leaf(frame):
    return hashlib.sha256(b"\x00" + frame).digest()


def check_inclusion(entry, index, size, root, path):
    """Verifies an inclusion proof as in RFC 9162, section 2.1.3.2."""
    if index >= size:
        raise Bad("the index is beyond the tree")
    fn, sn, result = index, size - 1, entry
    for value in path:
        if sn == 0:
            raise Bad("there are too many hashes")
        if fn & 1 or fn == sn:
            result = node(value, result)
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            result = node(result, value)
        fn, sn = fn >> 1, sn >> 1
    if sn != 0 or result != root:
        raise Bad("the hashes do not lead to the root")


def check_consistency(first, first_root, second, second_root, path):
    """Verifies a consistency proof as in RFC 9162, section 2.1.4.2."""
    if first == second and not path and first_root == second_root and first > 0:
        return
    if not path or not 0 < first < second:
        raise Bad("there are no hashes, or the sizes are wrong")
    if first & (first - 1) == 0:
        path = [first_root] + path
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = path[0]
    for value in path[1:]:
        if sn == 0:
            raise Bad("there are too many hashes")
        if fn & 1 or fn == sn:
            fr, sr = node(value, fr), node(value, sr)
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node(sr, value)
        fn, sn = fn >> 1, sn >> 1
    if sn != 0 or fr != first_root or sr != second_root:
        raise Bad("the hashes do not lead to the roots")


def check(proof, key, entry=None, old=None):
    """Verifies a proof and returns a text that states what it proves. Raises `Bad` if it is invalid."""
    head, blank, note = proof.partition(b"\n\n")
    if not blank:
        raise Bad("no checkpoint follows")
    lines = head.split(b"\n")
    kind = lines.pop(0)
    if kind == b"c2sp.org/tlog-proof@v1":
        told = None
        if lines and lines[0].startswith(b"extra "):
            told = decoded(lines.pop(0)[6:], "the extra line")
        if not lines or not lines[0].startswith(b"index "):
            raise Bad("there is no index")
        index = decimal(lines.pop(0)[6:], "the index")
        path = [decoded_hash(line, "a hash") for line in lines]
        size, root = open_checkpoint(note, key)
        if entry is None:
            entry = told
        if entry is None or len(entry) != 32:
            raise Bad("the hash of the entry is not known")
        if told is not None and told != entry:
            raise Bad("the proof is for another entry")
        check_inclusion(entry, index, size, root, path)
        return f"position {index + 1} of {size}"
    if kind == b"healthjournal/consistency-proof@v1":
        words = lines.pop(0).split(b" ") if lines else []
        if len(words) != 3 or words[0] != b"old":
            raise Bad("there is no earlier tree")
        first, first_root = decimal(words[1], "the earlier size"), decoded_hash(words[2], "the earlier root")
        path = [decoded_hash(line, "a hash") for line in lines]
        second, second_root = open_checkpoint(note, key)
        if old is not None and old != (first, first_root):
            raise Bad("the proof is for another earlier checkpoint")
        check_consistency(first, first_root, second, second_root, path)
        return f"{second} extends {first}"
    raise Bad("this kind of proof is not known")


def run(arguments, key):
    def read(path):
        with open(path, "rb") as file:
            return file.read()

    proof, entry, old = read(arguments[0]), None, None
    for option, value in zip(arguments[1::2], arguments[2::2]):
        if option == "--hash":
            entry = bytes.fromhex(value)
        elif option == "--frame":
            entry = leaf(read(value))
        elif option == "--old-checkpoint":
            old = open_checkpoint(read(value), key)
        else:
            raise SystemExit(__doc__)
    return check(proof, key, entry, old)


def answer(arguments, key):
    try:
        return True, "ok " + run(arguments, key)
    except (Bad, ValueError, UnicodeDecodeError) as error:
        return False, f"bad {error}"


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    given = sys.argv[1].encode()
    if b"+" not in given:
        with open(given, "rb") as file:
            given = file.read()
    key = parse_key(given)
    if sys.argv[2] == "--batch":
        for line in sys.stdin:
            print(answer(line.rstrip("\n").split("\t"), key)[1], flush=True)
        return
    is_good, said = answer(sys.argv[2:], key)
    print(said)
    sys.exit(0 if is_good else 3)


if __name__ == "__main__":
    main()
