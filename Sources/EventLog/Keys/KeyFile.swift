internal import Crypto
internal import FoundationEssentials
internal import LMDB

/// The format of the file of sealed data keys: a header and one slot per subject, of 96 bytes each.
///
///     header  "HJKEYS1\n", journal id (16), fingerprint of the master key (16), change counter (u64), zeros
///     slot    state u8, 7 zeros, subject (16), nonce (12), sealed key (32), tag (16), position (u64), zeros
///
/// Slots are added at the end and never moved; erasing a slot overwrites it in place. A slot is synced before it is
/// marked live. Therefore a slot that is marked live but does not open is damaged, and one that is marked unfinished
/// and does not open was interrupted by a crash before its key was used.
///
/// A slot that is about to be erased is marked for erasure: its key is no longer used, and its position is the log's
/// head at that moment. An event after that position that records the erasure makes it final; without one, the slot is
/// restored.
///
/// A slot holds the key of a subject, the root of the keys of a record's entries, or the key of one entry: see
/// `EntryKeys`. A root that is no longer used is overwritten like an erased key, with a state of its own.
enum KeyFile {
    /// What a user can do about a key file that is missing or damaged.
    static let remedy =
        "Put the journal's own key file back from a copy, or restore its newest backup into a new folder: "
        + "healthjournal restore BACKUP --journal FOLDER"

    static let slotLength = 96
    static let magic = Array("HJKEYS1\n".utf8)
    /// The header word that changes when a key is disabled, restored or erased, so that other processes reread the
    /// file.
    static let changesWord = 5
    /// The value of that word when another file replaces this one.
    static let superseded = UInt64.max
    /// The value of that word while keys are disabled, restored or destroyed: each use of a key rereads the file.
    ///
    /// A process that is killed leaves this value, so that no other process continues to use destroyed keys.
    static let changing = UInt64.max - 1

    enum Slot {
        case live(subject: UUID, key: SymmetricKey)
        /// A complete slot that is not marked live: it may not be on disk yet.
        case unfinished(subject: UUID, key: SymmetricKey)
        /// A key that is disabled but not destroyed; `since` is the log's head at that moment.
        case markedForErasure(subject: UUID, since: UInt64)
        /// A key that is destroyed; `isClean` is true if the slot contains no remains of the key.
        case erased(subject: UUID, isClean: Bool)
        /// A root whose key is destroyed, because each of its entries has a slot of its own.
        case retired(root: UUID, isClean: Bool)
        /// A key that does not open and may have sealed events; the subject is read from the slot and may be wrong.
        case damaged(subject: UUID)
        /// A slot without a usable key whose writing was interrupted.
        case empty
    }

    /// The first byte of a slot; every other state differs from `live` in at least two bits.
    enum State {
        static let live: UInt8 = 1
        static let erased: UInt8 = 2
        static let unfinished: UInt8 = 6
        static let markedForErasure: UInt8 = 24
        static let retired: UInt8 = 40
    }

    static let positionOffset = 84

    static func header(journal: UUID, master: MasterKey) -> [UInt8] {
        padded(magic + [UInt8](journal) + master.fingerprint)
    }

    /// Returns the fingerprint of the master key that seals the slots, as the header states it.
    static func fingerprint(in header: [UInt8]) -> [UInt8] { Array(header.dropFirst(24).prefix(16)) }

    /// Returns the byte offset of a slot in the file.
    static func offset(of slot: Int) -> Int { (1 + slot) * slotLength }

    /// Returns the bytes of a new slot, which is not marked live yet.
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

    /// Returns the bytes of a slot that states that a subject was erased and contains nothing else.
    static func erasedSlot(subject: UUID) -> [UInt8] { destroyedSlot(State.erased, subject: subject) }

    /// Returns the bytes of a slot whose key is destroyed.
    static func destroyedSlot(_ state: UInt8, subject: UUID) -> [UInt8] {
        padded([state, 0, 0, 0, 0, 0, 0, 0] + [UInt8](subject))
    }

    /// Reports whether a slot with this state must not contain a key.
    static func isDestroyed(_ state: UInt8) -> Bool { state == State.erased || state == State.retired }

    static func read(_ slot: ArraySlice<UInt8>, journal: UUID, master: MasterKey) -> Slot {
        let bytes = Array(slot)
        let subject = subject(of: slot)
        switch bytes[0] {
        case State.erased:
            return .erased(subject: subject, isClean: bytes == erasedSlot(subject: subject))
        case State.retired:
            return .retired(root: subject, isClean: bytes == destroyedSlot(State.retired, subject: subject))
        case State.markedForErasure:
            return .markedForErasure(subject: subject, since: bytes.raw.integer(at: positionOffset))
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

    /// Returns the slot sealed under another master key, or nil if it is damaged.
    static func resealed(
        _ slot: ArraySlice<UInt8>,
        journal: UUID,
        from old: MasterKey,
        to new: MasterKey
    ) throws(EventLogError) -> [UInt8]? {
        let bytes = Array(slot)
        let subject = subject(of: slot)
        if isDestroyed(bytes[0]) { return destroyedSlot(bytes[0], subject: subject) }
        guard let key = key(in: bytes, of: subject, journal: journal, master: old) else {
            if case .empty = read(slot, journal: journal, master: old) { return padded([]) }
            return nil
        }
        var sealed = try KeyFile.slot(subject: subject, key: key, journal: journal, master: new)
        sealed[0] = bytes[0]
        sealed.replaceSubrange(positionOffset..., with: bytes[positionOffset...])
        return sealed
    }

    /// Returns the subject whose key a slot contains.
    static func subject(of slot: ArraySlice<UInt8>) -> UUID { unsafe slot.span.bytes.uuid(at: 8) }

    /// Reports whether a slot is marked live.
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
