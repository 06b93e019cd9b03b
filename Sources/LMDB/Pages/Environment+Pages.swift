package import Platform

extension Environment {
    /// Returns the newest state of the file, read directly from its pages rather than through LMDB.
    package func snapshot() throws(StorageError) -> Snapshot {
        let source = try PageSource(file: dataFile)
        // LMDB trusts the content of a meta page, so both are checked before LMDB is called.
        _ = try MetaPages(source)
        var found: Snapshot?
        try pinned { transaction throws(StorageError) in
            // A reader slot that pins a transaction also pins the pages of all later ones, and of the one before it.
            let metas = try MetaPages(source)
            guard metas.newer.transaction >= transaction else {
                throw StorageError(.corrupted, during: "read data.mdb (its newest transaction is missing)")
            }
            found = try Snapshot(source, metas)
        }
        guard let found else { throw StorageError(.corrupted, during: "read data.mdb") }
        return found
    }

    /// Checks what LMDB trusts in a file: the meta pages, the main table and the right edge of each table, and the free
    /// list if the file is to be written.
    ///
    /// A page size of zero, a root beyond the end or a node that reaches outside its page would kill the process, and
    /// so would a page that is free twice.
    static func checkFile(_ path: String, isReadOnly: Bool) throws(StorageError) {
        let source = try PageSource(file: path)
        while true {
            let metas = try MetaPages(source)
            guard let problem = OpeningCheck(source, metas.newer, isReadOnly: isReadOnly).problem else { return }
            // A writer may have reused those pages in the meantime.
            guard try MetaPages(source) != metas else {
                throw StorageError(.corrupted, during: "open \(path) (\(problem))")
            }
        }
    }
}

/// The pages that LMDB reads when it opens a database, and in its first write transaction.
private struct OpeningCheck {
    private(set) var problem: String?

    init(_ source: PageSource, _ meta: MetaPage, isReadOnly: Bool) {
        let pages = SnapshotPages(source, pageSize: meta.pageSize, lastPage: meta.lastPage)
        var map = PageMap(pageCount: meta.lastPage + 1)
        _ = map.mark(0, count: 2)
        let main = MainTable(pages, meta, &map)
        problem = main.faults.first?.description
        if problem != nil { return }
        for (name, record) in main.records {
            if let fault = pages.faultOfRightEdge(of: record) { problem = "the table \(name): \(fault)" }
        }
        if problem == nil, !isReadOnly {
            problem = FreeList(pages: pages, meta: meta).walk(&map).first?.description
        }
    }
}

extension SnapshotPages {
    /// Returns the fault that keeps LMDB from finding the last row of a table, or nil.
    fileprivate func faultOfRightEdge(of record: TableRecord) -> PageFault? {
        guard var next = record.root else { return nil }
        var page = TreePage(pageSize: pageSize)
        for level in 1...record.depth {
            do throws(PageFault) {
                try page.load(next, self, .bytes)
            } catch {
                return error
            }
            guard page.isLeaf == (level == record.depth) else { return page.fault("it is on the wrong level") }
            if !page.isLeaf { next = page.child(page.count - 1) }
        }
        if case .overflow(let first, let size) = page.value(page.count - 1) {
            do throws(PageFault) {
                try checkOverflow(first, size: size)
            } catch {
                return error
            }
        }
        return nil
    }
}
