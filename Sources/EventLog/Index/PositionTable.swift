internal import FoundationEssentials
internal import LMDB
internal import Platform

/// A hash table in a file, with open addressing, that maps ids to positions: stream heads and idempotency keys.
///
/// It is a cache of the log, and all processes share it through one memory map. Only the holder of the log's write lock
/// changes it. Its slots are synced only when the log is closed. Each slot contains a checksum, and each position found
/// is checked against the log, so that a torn or foreign table is detected and rebuilt.
///
/// An empty slot has a checksum too: lost bytes are never mistaken for an unknown id.
///
///     header  magic and version, journal id (2 words), boot id (2), state, checkpoint, checkpoint's leaf, count, seed,
///             checksum of the fields that never change
///     slot    id (2 words), position and space, checksum
final class PositionTable {
    /// What an id identifies.
    enum Space: UInt64 {
        case streamHead = 0
        case eventID = 1
    }

    /// A slot has a wrong checksum or an unexpected position, or no slot is found: the table must be rebuilt.
    struct Damaged: Error {}

    private let file: MappedFile
    private let capacity: Int
    private let seed: UInt64

    private enum Word {
        static let magic = 0
        static let journal = 1
        static let boot = 3
        static let state = 5
        static let checkpoint = 6
        static let checkpointLeaf = 7
        static let count = 8
        static let seed = 9
        static let check = 10
        static let header = 16
        static let slot = 4
    }

    private enum State {
        static let clean: UInt64 = 1
        static let dirty: UInt64 = 2
        /// Another table has replaced this one.
        static let superseded: UInt64 = 3
    }

    private static let magic: UInt64 = 0x0001_5845_444E_494A  // "JINDEX", version 1
    private static let smallest = 1 << 12
    /// The largest position that a slot can hold.
    private static let maximumPosition: UInt64 = (1 << 62) - 1

    /// Opens a table, or returns nil if the file cannot be trusted.
    init?(path: String, journal: UUID) {
        guard let file = try? MappedFile(path: path), file.byteCount >= (Word.header + Word.slot) * 8 else {
            return nil
        }
        let ids = journal.words
        let boot = Boot.words
        guard file[word: Word.magic] == PositionTable.magic, file[word: Word.journal] == ids.0,
            file[word: Word.journal + 1] == ids.1
        else { return nil }
        let state = file[word: Word.state]
        let isOfThisBoot =
            !Boot.id.isEmpty && file[word: Word.boot] == boot.0 && file[word: Word.boot + 1] == boot.1
        guard state == State.clean || state == State.dirty && isOfThisBoot else { return nil }
        self.file = file
        capacity = (file.byteCount / 8 - Word.header) / Word.slot
        seed = file[word: Word.seed]
        guard file.byteCount == (Word.header + Word.slot * capacity) * 8, capacity.nonzeroBitCount == 1,
            file[word: Word.check] == headerCheck(ids), count < UInt64(capacity)
        else { return nil }
    }

    /// Creates an empty table with space for `count` ids.
    init(path: String, journal: UUID, roomFor count: Int) throws(StorageError) {
        var capacity = PositionTable.smallest
        while capacity * 5 / 8 <= count { capacity *= 2 }
        self.capacity = capacity
        file = try MappedFile(path: path, size: (Word.header + Word.slot * capacity) * 8)
        seed = UInt64.random(in: 1...UInt64.max)
        let ids = journal.words
        let boot = Boot.words
        file[word: Word.journal] = ids.0
        file[word: Word.journal + 1] = ids.1
        file[word: Word.boot] = boot.0
        file[word: Word.boot + 1] = boot.1
        file[word: Word.state] = State.dirty
        file[word: Word.seed] = seed
        file[word: Word.check] = headerCheck(ids)
        for slot in 0..<capacity { file[word: Word.header + slot * Word.slot + 3] = emptyCheck(slot) }
        file[word: Word.magic] = PositionTable.magic
    }

    /// The position up to which the table covers the log, and the first eight bytes of that position's leaf hash.
    var checkpoint: (position: UInt64, leaf: UInt64) {
        // Readers take no lock. Acquire and release ordering ensure that a thread that reads a checkpoint also sees the
        // slots that were written before it, on any processor.
        get {
            let position = file.loadAcquiring(word: Word.checkpoint)
            return (position, file[word: Word.checkpointLeaf])
        }
        set {
            file[word: Word.checkpointLeaf] = newValue.leaf
            file.storeReleasing(newValue.position, word: Word.checkpoint)
        }
    }

    var count: UInt64 { file[word: Word.count] }
    var isFull: Bool { !hasRoom(for: 0) }

    /// Reports whether the table stays sparse enough for short searches after `more` ids are added.
    func hasRoom(for more: Int) -> Bool { count + UInt64(more) < UInt64(capacity) * 5 / 8 }
    var isSuperseded: Bool { file[word: Word.state] == State.superseded }

    func markSuperseded() {
        file[word: Word.state] = State.superseded
    }

    /// Marks the table dirty on disk, before the first change that is not synced.
    func markDirty() throws(StorageError) {
        guard file[word: Word.state] == State.clean else { return }
        let boot = Boot.words
        file[word: Word.boot] = boot.0
        file[word: Word.boot + 1] = boot.1
        file[word: Word.state] = State.dirty
        try file.sync(first: 4096)
    }

    var isDirty: Bool { file[word: Word.state] == State.dirty }

    /// Waits until the whole table is on disk.
    func sync() throws(StorageError) { try file.sync() }

    /// Marks the table clean on disk, after `sync`.
    func markClean() throws(StorageError) {
        guard isDirty else { return }
        file[word: Word.state] = State.clean
        try file.sync(first: 4096)
    }

    /// Returns the position stored for an id, or nil if there is none.
    func position(of id: UUID, in space: Space) throws(Damaged) -> UInt64? {
        let slot = try find(id.words, space)
        return slot.position == 0 ? nil : slot.position
    }

    /// Stores a position for an id and replaces an older one.
    func set(_ id: UUID, in space: Space, to position: UInt64) throws(Damaged) {
        let words = id.words
        put(words, in: try find(words, space), space, position)
    }

    /// Replaces the position stored for an id, which must be `expected` (0 for none), or throws `Damaged`.
    func move(_ id: UUID, in space: Space, from expected: UInt64, to position: UInt64) throws(Damaged) {
        let words = id.words
        let slot = try find(words, space)
        guard slot.position == expected else { throw Damaged() }
        put(words, in: slot, space, position)
    }

    private func put(
        _ words: (UInt64, UInt64),
        in slot: (start: Int, position: UInt64),
        _ space: Space,
        _ position: UInt64
    ) {
        let tagged = position | space.rawValue << 62
        let start = slot.start
        if slot.position == 0 {
            file[word: start] = words.0
            file[word: start + 1] = words.1
            file[word: Word.count] = count + 1
        }
        file[word: start + 3] = check(words, tagged)
        file[word: start + 2] = tagged
    }

    /// Copies all slots into a larger table.
    func copy(into larger: PositionTable) throws(Damaged) {
        for index in 0..<capacity {
            let start = Word.header + index * Word.slot
            let tagged = file[word: start + 2]
            guard tagged != 0 else { continue }
            let words = (file[word: start], file[word: start + 1])
            guard let space = Space(rawValue: tagged >> 62), file[word: start + 3] == check(words, tagged) else {
                throw Damaged()
            }
            try larger.set(UUID(words: words), in: space, to: tagged & PositionTable.maximumPosition)
        }
        larger.checkpoint = checkpoint
    }

    private func find(_ words: (UInt64, UInt64), _ space: Space) throws(Damaged) -> (start: Int, position: UInt64) {
        // The high bits choose the slot, so that a copy into a larger table fills it almost in order.
        var index = Int(truncatingIfNeeded: mix(words, seed) >> UInt64(64 - capacity.trailingZeroBitCount))
        for _ in 0..<capacity {
            let start = Word.header + index * Word.slot
            let tagged = file[word: start + 2]
            if tagged == 0 {
                guard file[word: start] == 0, file[word: start + 1] == 0, file[word: start + 3] == emptyCheck(index)
                else {
                    throw Damaged()
                }
                return (start, 0)
            }
            let found = (file[word: start], file[word: start + 1])
            guard file[word: start + 3] == check(found, tagged) else { throw Damaged() }
            if found == words, tagged >> 62 == space.rawValue {
                return (start, tagged & PositionTable.maximumPosition)
            }
            index = (index + 1) & (capacity - 1)
        }
        throw Damaged()
    }

    private func headerCheck(_ journal: (UInt64, UInt64)) -> UInt64 {
        mix((journal.0 ^ UInt64(capacity), journal.1 &+ PositionTable.magic), seed)
    }

    private func emptyCheck(_ slot: Int) -> UInt64 {
        mix((UInt64(slot), PositionTable.magic), ~seed)
    }

    private func check(_ words: (UInt64, UInt64), _ tagged: UInt64) -> UInt64 {
        mix((words.0 ^ tagged, words.1 &+ tagged &* 0x9E37_79B9_7F4A_7C15), ~seed)
    }

    private func mix(_ words: (UInt64, UInt64), _ seed: UInt64) -> UInt64 {
        let first = (words.0 ^ seed).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        let second = (words.1 ^ first.high ^ first.low ^ seed).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        return second.high ^ second.low
    }
}

extension Boot {
    fileprivate static let words: (UInt64, UInt64) = {
        let bytes = id + [UInt8](repeating: 0, count: 36)
        // The boot id is a text of 36 characters, which XOR folds into two words.
        let span = bytes.raw
        return (
            span.integer(at: 0, as: UInt64.self) ^ span.integer(at: 16, as: UInt64.self),
            span.integer(at: 8, as: UInt64.self) ^ span.integer(at: 24, as: UInt64.self)
                ^ span.integer(at: 28, as: UInt64.self)
        )
    }()
}
