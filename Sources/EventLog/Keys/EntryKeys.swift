internal import Cipher
internal import Crypto
internal import FoundationEssentials
internal import LMDB

/// The keys of entries, so that one entry of a record can be erased and the others stay readable.
///
/// An entry's key is derived from the record's key, from a second key that all entries of the record share, their root,
/// and from the entry's id. It takes no slot in the key file. Before the first entry of a root is erased, each of its
/// entries gets a slot of its own, and the root is destroyed: see `KeyStore.separate`. Later entries get a new root.
///
/// A slot of an entry holds its key combined with the record's key, so that destroying the record's key is enough to
/// erase all its entries.
enum EntryKeys {
    /// Distinguishes the hashes from each other and from those of the Merkle tree, which has the prefixes 0 and 1.
    private enum Prefix {
        static let root: UInt8 = 2
        static let slot: UInt8 = 3
        static let pair: UInt8 = 4
        static let key: UInt8 = 5
        static let mask: UInt8 = 6
    }

    /// Returns the id of the slot of a record's root with the given number, which counts from 0.
    static func root(_ number: UInt64, of record: UUID) -> UUID {
        id(Cipher.hash(Prefix.root, words(record), SHA256Words(number, 0, 0, 0)))
    }

    /// The version in the ids of slots of roots and entries, which RFC 9562 does not use.
    ///
    /// Clients choose the ids of records and entries. No subject may have an id of this version, so that none can have that
    /// of a slot.
    private static let version: UInt8 = 15

    /// Reports whether an id is that of a slot of a root or an entry, and so cannot be that of a subject.
    static func isSlot(_ id: UUID) -> Bool { id.uuid.6 >> 4 == version }

    /// Returns the id of the slot of an entry.
    ///
    /// It is derived, because the id of an entry could be that of another subject.
    static func slot(of entry: UUID, in record: UUID) -> UUID {
        id(Cipher.hash(Prefix.slot, words(record), entry))
    }

    /// Returns the secret from which the keys of all entries of a root are derived.
    static func pair(_ record: SymmetricKey, _ root: SymmetricKey) -> SHA256Words {
        Cipher.hash(Prefix.pair, words(record), words(root))
    }

    static func key(of entry: UUID, _ pair: SHA256Words) -> SymmetricKey {
        key(Cipher.hash(Prefix.key, pair, entry))
    }

    /// Converts the key of an entry to the content of its slot, and back.
    static func masked(_ key: SymmetricKey, of entry: UUID, _ record: SymmetricKey) -> SymmetricKey {
        self.key(words(key) ^ Cipher.hash(Prefix.mask, words(record), entry))
    }

    private static func id(_ hash: SHA256Words) -> UUID {
        var bytes: [UInt8] = []
        for index in 0..<2 { bytes.append(littleEndian: hash[index]) }
        bytes[6] = bytes[6] & 0x0F | EntryKeys.version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.raw.uuid(at: 0)
    }

    private static func words(_ id: UUID) -> SHA256Words {
        let words = unsafe unsafeBitCast(id, to: SIMD2<UInt64>.self)
        return SHA256Words(words.x, words.y, 0, 0)
    }

    private static func words(_ key: SymmetricKey) -> SHA256Words {
        unsafe key.withUnsafeBytes { unsafe $0.loadUnaligned(as: SHA256Words.self) }
    }

    private static func key(_ words: SHA256Words) -> SymmetricKey {
        var words = words
        return unsafe withUnsafeBytes(of: &words) { unsafe SymmetricKey(data: $0) }
    }
}
