package import Platform

/// The newest state of a database file, ready to be walked while a writer runs.
///
/// The pages that a writer could reuse are copied while a reader slot pins them, which takes milliseconds: both meta
/// pages, the main table, the free list, and the right edge of each table. All other pages of an append-only table
/// never change, because an append copies only the right edge. So a walk of an hour pins no pages, and the file does
/// not grow because of it.
package struct Snapshot: Sendable {
    package let pages: SnapshotPages
    package let transaction: UInt64
    package let tables: [String: TableRecord]
    /// The tables of the previous transaction; the newest one must have all of them, with at least as many rows.
    package let olderTables: [String: TableRecord]
    /// The pages accounted for so far: the meta pages, the main table and the free list.
    package private(set) var map: PageMap
    /// The faults of those pages, and of the same pages of the previous transaction.
    package private(set) var faults: [PageFault] = []

    /// Reads a file or bytes that no process writes to.
    ///
    /// Throws if nothing can be read.
    package init(_ source: PageSource) throws(StorageError) {
        try self.init(source, MetaPages(source))
    }

    init(_ source: PageSource, _ metas: MetaPages) throws(StorageError) {
        let meta = metas.newer
        let bare = SnapshotPages(source, pageSize: meta.pageSize, lastPage: meta.lastPage)
        var map = PageMap(pageCount: meta.lastPage + 1)
        _ = map.mark(0, count: 2)
        let main = MainTable(bare, meta, &map)
        faults += main.faults
        faults += FreeList(pages: bare, meta: meta).walk(&map)
        (tables, self.map) = (main.records, map)
        transaction = meta.transaction
        // The previous transaction is still complete: a running writer takes only pages that were free before it.
        let before = SnapshotPages(source, pageSize: meta.pageSize, lastPage: metas.older.lastPage)
        var olderMap = PageMap(pageCount: metas.older.lastPage + 1)
        _ = olderMap.mark(0, count: 2)
        let older = MainTable(before, metas.older, &olderMap)
        olderTables = older.records
        let olderFaults = older.faults + FreeList(pages: before, meta: metas.older).walk(&olderMap)
        faults += olderFaults.map { PageFault($0.page, "in the transaction before the newest: \($0.what)") }
        var held: [UInt64: [UInt8]] = [:]
        for record in main.records.values { Snapshot.hold(rightEdgeOf: record, bare, &held) }
        pages = bare.holding(held)
    }

    /// Describes the pages that are neither in use nor free, after all tables were walked; nil if there are none.
    package static func lost(_ map: PageMap) -> String? {
        map.unmarked.map { "page \($0.first) of the file is neither in use nor free (1 of \($0.count))" }
    }

    /// Copies the right edge of a table as far as it is readable; the walk reports the rest.
    private static func hold(rightEdgeOf record: TableRecord, _ pages: SnapshotPages, _ held: inout [UInt64: [UInt8]]) {
        var next = record.root
        for _ in 0..<record.depth {
            guard let number = next else { return }
            var page = TreePage(pageSize: pages.pageSize)
            guard (try? page.load(number, pages, .bytes)) != nil else { return }
            held[number] = page.bytes
            next = page.isLeaf ? nil : page.child(page.count - 1)
        }
    }

    /// The greatest key of a table; nil when the table is empty or its right edge is damaged.
    package func lastKey(of record: TableRecord) -> [UInt8]? {
        var next = record.root
        for _ in 0..<record.depth {
            var page = TreePage(pageSize: pages.pageSize)
            guard let number = next, (try? page.load(number, pages, .bytes)) != nil else { return nil }
            if page.isLeaf { return page.key(page.count - 1) }
            next = page.child(page.count - 1)
        }
        return nil
    }

    /// The upper bound of the number of rows of a table in this file, independent of the table's record.
    package var maximumRows: UInt64 {
        (pages.lastPage + 1) * UInt64(pages.pageSize / (2 + TreePage.nodeHeaderLength + 2))
    }
}

extension SnapshotPages {
    /// Returns the value of a key, found without LMDB by searching the pages; nil if there is none.
    package func value(of key: [UInt8], in record: TableRecord) throws(PageFault) -> [UInt8]? {
        var next = record.root
        var page = TreePage(pageSize: pageSize)
        for _ in 0..<record.depth {
            guard let number = next else { return nil }
            try page.load(number, self, .bytes)
            var (low, high) = (page.isLeaf ? 0 : 1, page.count)
            // The first node whose key is greater.
            while low < high {
                let middle = (low + high) / 2
                if page.compare(middle, with: key.raw, .bytes) <= 0 { low = middle + 1 } else { high = middle }
            }
            guard page.isLeaf else {
                next = page.child(low - 1)
                continue
            }
            guard low > 0, page.compare(low - 1, with: key.raw, .bytes) == 0 else { return nil }
            switch page.value(low - 1) {
            case .inside(let range): return Array(page.bytes[range])
            case .overflow(let first, let size): return try overflow(first, size: size)
            case .table: return nil
            }
        }
        throw PageFault(next ?? 0, "its table is deeper than its record states")
    }
}
