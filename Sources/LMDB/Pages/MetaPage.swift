internal import Platform

/// One of the two pages from which a snapshot begins; transaction n writes page n % 2.
///
///     0    page header: u64 number, u16 pad, u16 flags, 4 bytes unused
///     16   u32 magic, u32 version, u64 address (unused), u64 map size
///     40   record of the free list, record of the main table
///     136  u64 last page in use, u64 transaction
struct MetaPage: Hashable, Sendable {
    static let length = 152
    static let flag: UInt16 = 0x08
    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let version: UInt32 = 1
    private static let integerKeys: UInt16 = 0x08
    private static let pageSizes = [512, 1024, 2048, 4096, 8192, 16384, 32768]
    /// An upper bound of the map size: more address space than a process has.
    private static let maximumMap: UInt64 = 1 << 47

    let pageSize: Int
    let mapSize: UInt64
    let free: TableRecord
    let main: TableRecord
    let lastPage: UInt64
    let transaction: UInt64

    /// Reads a meta page, whose number is 0 or 1.
    ///
    /// Every field that LMDB uses is checked; the fields that it ignores but always writes as zero must be zero.
    init(_ bytes: RawSpan, number: UInt64) throws(StorageError) {
        func isNothing(_ range: Range<Int>) -> Bool { range.allSatisfy { bytes.integer(at: $0, as: UInt8.self) == 0 } }
        guard bytes.integer(at: 16, as: UInt32.self) == MetaPage.magic else {
            throw MetaPage.error(.notADatabase, number, "it does not begin like an LMDB meta page")
        }
        guard bytes.integer(at: 20, as: UInt32.self) == MetaPage.version else {
            throw MetaPage.error(.versionMismatch, number, "it has another version")
        }
        guard bytes.integer(at: 0, as: UInt64.self) == number, isNothing(8..<10), isNothing(12..<16),
            isNothing(24..<32),
            bytes.integer(at: 10, as: UInt16.self) == MetaPage.flag
        else { throw MetaPage.error(.corrupted, number, "its header is wrong") }
        mapSize = bytes.integer(at: 32)
        free = TableRecord(bytes.extracting(40..<88))
        main = TableRecord(bytes.extracting(88..<136))
        lastPage = bytes.integer(at: 136)
        transaction = bytes.integer(at: 144)
        let pad = free.pad
        guard let pageSize = MetaPage.pageSizes.first(where: { UInt32($0) == pad }) else {
            throw MetaPage.error(.corrupted, number, "its page size is invalid")
        }
        self.pageSize = pageSize
        if let problem = free.problem(flags: MetaPage.integerKeys, pad: UInt32(pageSize)) {
            throw MetaPage.error(.corrupted, number, "the free list: \(problem)")
        }
        if let problem = main.problem(flags: 0, pad: 0) {
            throw MetaPage.error(.corrupted, number, "the main table: \(problem)")
        }
        guard mapSize <= MetaPage.maximumMap, lastPage >= 1, lastPage < mapSize / UInt64(pageSize) else {
            throw MetaPage.error(.corrupted, number, "its last page is beyond its map")
        }
        // A newly created file has two meta pages of transaction 0.
        guard transaction % 2 == number || transaction == 0 else {
            throw MetaPage.error(.corrupted, number, "transaction \(transaction) does not belong in it")
        }
    }

    static func error(_ code: StorageError.Code, _ number: UInt64, _ what: String) -> StorageError {
        StorageError(code, during: "read meta page \(number) of data.mdb (\(what))")
    }
}

/// Both meta pages, ordered by age.
struct MetaPages: Hashable, Sendable {
    let newer: MetaPage
    let older: MetaPage

    /// Reads both pages until two consecutive reads agree, because a writer may be committing.
    init(_ source: PageSource) throws(StorageError) {
        var last = try MetaPages.bytes(source)
        for _ in 0..<MetaPages.attempts {
            let again = try MetaPages.bytes(source)
            if again == last { break }
            last = again
        }
        try self.init(last, source)
    }

    private static let attempts = 1_000

    /// Reads the bytes of both pages; the first determines the offset of the second.
    private static func bytes(_ source: PageSource) throws(StorageError) -> [UInt8] {
        var first = [UInt8](repeating: 0, count: MetaPage.length)
        guard try source.read(at: 0, into: &first) else {
            throw StorageError(.notADatabase, during: "read data.mdb (it is too short)")
        }
        var second = [UInt8](repeating: 0, count: MetaPage.length)
        let pageSize = try MetaPage(first.raw, number: 0).pageSize
        guard try source.read(at: UInt64(pageSize), into: &second) else {
            throw StorageError(.corrupted, during: "read data.mdb (it is truncated)")
        }
        return first + second
    }

    /// Checks both pages against each other and against the length of the file.
    private init(_ bytes: [UInt8], _ source: PageSource) throws(StorageError) {
        let first = try MetaPage(bytes.raw.extracting(first: MetaPage.length), number: 0)
        let second = try MetaPage(bytes.raw.extracting(last: MetaPage.length), number: 1)
        // LMDB uses the second page only if its transaction number is greater.
        (newer, older) = first.transaction < second.transaction ? (second, first) : (first, second)
        func refuse(_ what: String) -> StorageError {
            StorageError(.corrupted, during: "read the meta pages of data.mdb (\(what))")
        }
        guard first.pageSize == second.pageSize else { throw refuse("they have different page sizes") }
        guard newer.transaction - older.transaction <= 1,
            newer.transaction > older.transaction || newer.transaction == 0
        else { throw refuse("transactions \(older.transaction) and \(newer.transaction) do not follow each other") }
        guard older.lastPage <= newer.lastPage, older.mapSize <= newer.mapSize else {
            throw refuse("the file was larger in the transaction before")
        }
        // Pages after the end of the file are free, and their numbers are stored inside the file, which bounds their
        // count.
        let pages = source.size / UInt64(first.pageSize)
        guard newer.lastPage < pages + source.size / 8 else { throw refuse("the last page is far beyond the file") }
    }
}
