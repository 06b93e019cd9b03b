/// The newest state of a database file, ready to be walked beside a running writer.
///
/// What a writer could use again is read and kept while a reader's slot pins it, which takes milliseconds: both meta pages,
/// the main table, the free list, and of each table the pages on its right edge. All other pages of a table that is only ever
/// appended to stay as they are for good, for an append copies the right edge and nothing else. So a walk that takes an hour
/// keeps no page from being used again, and the file does not grow by it.
package struct Snapshot: Sendable {
    package let pages: SnapshotPages
    package let transaction: UInt64
    package let tables: [String: TableRecord]
    /// The tables of the transaction before, of which nothing may be missing now.
    package let olderTables: [String: TableRecord]
    /// What has been accounted for so far: the meta pages, the main table and the free list.
    package private(set) var map: PageMap
    /// What is wrong with those.
    package private(set) var faults: [PageFault] = []

    /// Reads a file or bytes that nobody writes to.
    ///
    /// Throws when nothing at all can be read.
    package init(_ source: PageSource) throws(LMDBError) {
        try self.init(source, MetaPages(source))
    }

    init(_ source: PageSource, _ metas: MetaPages) throws(LMDBError) {
        let meta = metas.newer
        let bare = SnapshotPages(source, pageSize: meta.pageSize, lastPage: meta.lastPage)
        var map = PageMap(pageCount: meta.lastPage + 1)
        _ = map.mark(0, count: 2)
        let main = MainTable(bare, meta, &map)
        faults += main.faults
        faults += FreeList(pages: bare, meta: meta).walk(&map)
        (tables, self.map) = (main.records, map)
        transaction = meta.transaction
        // The transaction before is still there whole: the one under way takes pages that were free before it.
        let before = SnapshotPages(source, pageSize: meta.pageSize, lastPage: metas.older.lastPage)
        var olderMap = PageMap(pageCount: metas.older.lastPage + 1)
        _ = olderMap.mark(0, count: 2)
        let older = MainTable(before, metas.older, &olderMap)
        olderTables = older.records
        let olderFaults = older.faults + FreeList(pages: before, meta: metas.older).walk(&olderMap)
        faults += olderFaults.map { PageFault($0.page, "of the transaction before the newest: \($0.what)") }
        var held: [UInt64: [UInt8]] = [:]
        for record in main.records.values { Snapshot.hold(rightEdgeOf: record, bare, &held) }
        pages = bare.holding(held)
    }

    /// Pages of the file that nothing leads to and that are not free, once all tables have been walked.
    package static func lost(_ map: PageMap) -> String? {
        map.unmarked.map { "page \($0.first) of the file is neither in use nor free (of \($0.count) such)" }
    }

    /// Keeps the right edge of a table as far as it can be read; what cannot is told by the walk.
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

    /// The greatest key of a table, or nil when it is empty or its right edge damaged.
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

    /// More rows than this no table of the file can have, whatever its record says.
    package var maximumRows: UInt64 {
        (pages.lastPage + 1) * UInt64(pages.pageSize / (2 + TreePage.nodeHeaderLength + 2))
    }
}

extension SnapshotPages {
    /// The value under a key, found by a search of its own; nil if there is none.
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
        throw PageFault(next ?? 0, "its table is deeper than its record says")
    }
}
