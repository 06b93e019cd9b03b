internal import Crypto
internal import FoundationEssentials
internal import LMDB

/// The file of sealed data keys: a header and one slot a subject, each of 96 bytes.
///
///     header  "HJKEYS1\n", journal id (16), fingerprint of the master key (16), zeros
///     slot    state u8 (1 live, 2 erased, 6 being written), 7 zeros, subject (16), nonce (12), sealed key (32), tag (16), zeros
///
/// Slots are added at the end and never moved; erasing one overwrites it in place. A slot is synced before it is marked
/// live: one that is marked so and does not open is damaged, one that is not was cut off before its key was used.
enum KeyFile {
    static let slotLength = 96
    static let magic = Array("HJKEYS1\n".utf8)

    enum Slot {
        case live(subject: UUID, key: SymmetricKey)
        /// Whole, but perhaps not on the disk yet.
        case unfinished(subject: UUID, key: SymmetricKey)
        case erased(subject: UUID)
        /// A key that events may have been sealed with; the subject is as good as the slot still says it.
        case damaged(subject: UUID)
        /// Cut off.
        case empty
    }

    static let live: UInt8 = 1
    private static let erased: UInt8 = 2
    /// Three bits away from `live`.
    private static let unfinished: UInt8 = 6

    static func header(journal: UUID, master: MasterKey) -> [UInt8] {
        padded(magic + [UInt8](journal) + master.fingerprint)
    }

    /// A slot that is yet to be marked live.
    static func slot(subject: UUID, key: SymmetricKey, journal: UUID, master: MasterKey) throws(EventLogError)
        -> [UInt8]
    {
        do {
            let box = try AES.GCM.seal(
                unsafe key.withUnsafeBytes { unsafe Data($0) },
                using: master.key,
                authenticating: [UInt8](journal) + [UInt8](subject)
            )
            var bytes: [UInt8] = [unfinished, 0, 0, 0, 0, 0, 0, 0] + [UInt8](subject)
            bytes.append(contentsOf: box.nonce)
            bytes.append(contentsOf: box.ciphertext)
            bytes.append(contentsOf: box.tag)
            return padded(bytes)
        } catch {
            throw EventLogError(.storage, "a data key could not be sealed")
        }
    }

    static func read(_ slot: ArraySlice<UInt8>, journal: UUID, master: MasterKey) -> Slot {
        let bytes = Array(slot)
        let subject = uuid(in: bytes, at: 8)
        if bytes[0] == erased { return .erased(subject: subject) }
        guard let nonce = try? AES.GCM.Nonce(data: bytes[24..<36]),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: bytes[36..<68], tag: bytes[68..<84]),
            let key = try? AES.GCM.open(box, using: master.key, authenticating: [UInt8](journal) + [UInt8](subject))
        else { return bytes[0] == unfinished || bytes.allSatisfy { $0 == 0 } ? .empty : .damaged(subject: subject) }
        return bytes[0] == live
            ? .live(subject: subject, key: SymmetricKey(data: key))
            : .unfinished(subject: subject, key: SymmetricKey(data: key))
    }

    static func uuid(in bytes: [UInt8], at offset: Int) -> UUID {
        bytes.raw.uuid(at: offset)
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: slotLength - bytes.count)
    }
}
