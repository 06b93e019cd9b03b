/// The record of one table in the file: the 48 bytes of `MDB_db` in mdb.c.
///
///     0   u32 pad (the page size, in the free list's record of a meta page)
///     4   u16 flags, u16 depth
///     8   u64 branch pages, leaf pages, overflow pages, entries, root (all ones: the table is empty)
package struct TableRecord: Hashable, Sendable {
    static let length = 48
    private static let noRoot = UInt64.max
    /// The maximum depth of LMDB's cursors.
    private static let maximumDepth: UInt16 = 32

    let pad: UInt32
    let flags: UInt16
    let depth: UInt16
    let branchPages: UInt64
    let leafPages: UInt64
    let overflowPages: UInt64
    package let entries: UInt64
    private let rootPage: UInt64

    init(_ bytes: RawSpan) {
        pad = bytes.integer(at: 0)
        flags = bytes.integer(at: 4)
        depth = bytes.integer(at: 6)
        branchPages = bytes.integer(at: 8)
        leafPages = bytes.integer(at: 16)
        overflowPages = bytes.integer(at: 24)
        entries = bytes.integer(at: 32)
        rootPage = bytes.integer(at: 40)
    }

    /// The page at which a search begins, or nil in an empty table.
    var root: UInt64? { rootPage == TableRecord.noRoot ? nil : rootPage }

    /// Returns the contradiction in the record that shows without reading its pages, or nil.
    func problem(flags expected: UInt16, pad expectedPad: UInt32) -> String? {
        if flags != expected || pad != expectedPad { return "its record has invalid flags" }
        guard root != nil else {
            return depth == 0 && branchPages == 0 && leafPages == 0 && overflowPages == 0 && entries == 0
                ? nil : "its record states that it is empty, but also that it has pages or rows"
        }
        if depth == 0 || depth > TableRecord.maximumDepth { return "its record has an invalid depth" }
        return nil
    }
}
