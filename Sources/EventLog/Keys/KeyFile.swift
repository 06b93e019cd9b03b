internal import Crypto
internal import FoundationEssentials
internal import LMDB

/// The file of sealed data keys: a header and one slot a subject, each of 96 bytes.
///
///     header  "HJKEYS1\n", journal id (16), fingerprint of the master key (16), how often keys were taken away (u64), zeros
///     slot    state u8, 7 zeros, subject (16), nonce (12), sealed key (32), tag (16), position (u64), zeros
///
/// Slots are added at the end and never moved; erasing one overwrites it in place. A slot is synced before it is marked
/// live: one that is marked so and does not open is damaged, one that is not was cut off before its key was used.
///
/// A slot that is about to be erased is `condemned`: nobody reads with it any more, and its position is the log's head at
/// that moment. The event behind that position which says so makes it final; without one it is taken back.
enum KeyFile {
    static let slotLength = 96
    static let magic = Array("HJKEYS1\n".utf8)
    /// The word of the header that changes when a key is taken away, so that other processes look again.
    static let changesWord = 5
    /// Stands in its place when another file has taken this one's.
    static let superseded = UInt64.max

    enum Slot {
        case live(subject: UUID, key: SymmetricKey)
        /// Whole, but perhaps not on the disk yet.
        case unfinished(subject: UUID, key: SymmetricKey)
        /// Shut off, but not yet for good.
        case condemned(subject: UUID, since: UInt64)
        /// For good; `isClean` when nothing of the key is left.
        case erased(subject: UUID, isClean: Bool)
        /// A key that events may have been sealed with; the subject is as good as the slot still says it.
        case damaged(subject: UUID)
        /// Cut off.
        case empty
    }

    /// The first byte of a slot: no two of them are one bit apart from `live`.
    enum State {
        static let live: UInt8 = 1
        static let erased: UInt8 = 2
        static let unfinished: UInt8 = 6
        static let condemned: UInt8 = 24
    }

    static let positionOffset = 84

    static func header(journal: UUID, master: MasterKey) -> [UInt8] {
        padded(magic + [UInt8](journal) + master.fingerprint)
    }

    /// Which master key a header says that the slots are sealed under.
    static func fingerprint(in header: [UInt8]) -> [UInt8] { Array(header.dropFirst(24).prefix(16)) }

    /// Where a slot lies.
    static func offset(of slot: Int) -> Int { (1 + slot) * slotLength }

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
            var bytes: [UInt8] = [State.unfinished, 0, 0, 0, 0, 0, 0, 0] + [UInt8](subject)
            bytes.append(contentsOf: box.nonce)
            bytes.append(contentsOf: box.ciphertext)
            bytes.append(contentsOf: box.tag)
            return padded(bytes)
        } catch {
            throw EventLogError(.storage, "a data key could not be sealed")
        }
    }

    /// A slot that says that a subject was erased, and nothing else.
    static func erasedSlot(subject: UUID) -> [UInt8] {
        padded([State.erased, 0, 0, 0, 0, 0, 0, 0] + [UInt8](subject))
    }

    static func read(_ slot: ArraySlice<UInt8>, journal: UUID, master: MasterKey) -> Slot {
        let bytes = Array(slot)
        let subject = subject(of: slot)
        switch bytes[0] {
        case State.erased:
            return .erased(subject: subject, isClean: bytes == erasedSlot(subject: subject))
        case State.condemned:
            return .condemned(subject: subject, since: bytes.raw.integer(at: positionOffset))
        default: break
        }
        guard let key = key(in: bytes, of: subject, journal: journal, master: master) else {
            let isCutOff = bytes[0] == State.unfinished || bytes.allSatisfy { $0 == 0 }
            return isCutOff ? .empty : .damaged(subject: subject)
        }
        return bytes[0] == State.live
            ? .live(subject: subject, key: key)
            : .unfinished(subject: subject, key: key)
    }

    /// The same slot under another master key; nil when it does not open.
    static func resealed(
        _ slot: ArraySlice<UInt8>,
        journal: UUID,
        from old: MasterKey,
        to new: MasterKey
    ) throws(EventLogError) -> [UInt8]? {
        let bytes = Array(slot)
        let subject = subject(of: slot)
        if bytes[0] == State.erased { return erasedSlot(subject: subject) }
        guard let key = key(in: bytes, of: subject, journal: journal, master: old) else {
            if case .empty = read(slot, journal: journal, master: old) { return padded([]) }
            return nil
        }
        var sealed = try KeyFile.slot(subject: subject, key: key, journal: journal, master: new)
        sealed[0] = bytes[0]
        sealed.replaceSubrange(positionOffset..., with: bytes[positionOffset...])
        return sealed
    }

    /// Whose key a slot is.
    static func subject(of slot: ArraySlice<UInt8>) -> UUID { unsafe slot.span.bytes.uuid(at: 8) }

    /// Whether a slot says that its key is in use.
    static func isLive(_ slot: ArraySlice<UInt8>) -> Bool { slot.first == State.live }

    static func uuid(in bytes: [UInt8], at offset: Int) -> UUID {
        bytes.raw.uuid(at: offset)
    }

    private static func key(in bytes: [UInt8], of subject: UUID, journal: UUID, master: MasterKey) -> SymmetricKey? {
        guard let nonce = try? AES.GCM.Nonce(data: bytes[24..<36]),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: bytes[36..<68], tag: bytes[68..<84]),
            let key = try? AES.GCM.open(box, using: master.key, authenticating: [UInt8](journal) + [UInt8](subject))
        else { return nil }
        return SymmetricKey(data: key)
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: slotLength - bytes.count)
    }
}
