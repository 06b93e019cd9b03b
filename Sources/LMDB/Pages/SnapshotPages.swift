/// The pages of one snapshot: those that a writer might use again as they were, all others as they lie in the file.
package final class SnapshotPages: Sendable {
    let source: PageSource
    let pageSize: Int
    let lastPage: UInt64
    private let held: [UInt64: [UInt8]]

    init(_ source: PageSource, pageSize: Int, lastPage: UInt64, held: [UInt64: [UInt8]] = [:]) {
        self.source = source
        self.pageSize = pageSize
        self.lastPage = lastPage
        self.held = held
    }

    func holding(_ held: [UInt64: [UInt8]]) -> SnapshotPages {
        SnapshotPages(source, pageSize: pageSize, lastPage: lastPage, held: held)
    }

    /// Fills a buffer of one page.
    func read(_ page: UInt64, into bytes: inout [UInt8]) throws(PageFault) {
        guard page >= 2, page <= lastPage else { throw PageFault(page, "the file has no such page") }
        if let copy = held[page] {
            bytes = copy
            return
        }
        try fill(&bytes, from: page, at: 0)
    }

    /// The value of a row that has pages of its own.
    package func overflow(_ page: UInt64, size: Int, atMost limit: Int = .max) throws(PageFault) -> [UInt8] {
        try checkOverflow(page, size: size)
        guard size <= limit else { throw PageFault(page, "its row is larger than any may be") }
        var bytes = [UInt8](repeating: 0, count: size)
        try fill(&bytes, from: page, at: TreePage.headerLength)
        return bytes
    }

    /// How many pages a value of that size takes.
    func overflowPages(size: Int) -> UInt64 {
        UInt64((TreePage.headerLength - 1 + size) / pageSize + 1)
    }

    /// Checks the first page of a value, before anything is believed of its size.
    func checkOverflow(_ page: UInt64, size: Int) throws(PageFault) {
        let count = overflowPages(size: size)
        guard size > 0, UInt64(size) <= source.size, page >= 2, page <= lastPage, count <= lastPage - page + 1 else {
            throw PageFault(page, "a row's own pages lie outside the file")
        }
        var header = [UInt8](repeating: 0, count: TreePage.headerLength)
        try fill(&header, from: page, at: 0)
        let raw = header.raw
        guard raw.integer(at: 0, as: UInt64.self) == page, raw.integer(at: 8, as: UInt16.self) == 0,
            raw.integer(at: 10, as: UInt16.self) == 0x04, raw.integer(at: 12, as: UInt32.self) == count
        else { throw PageFault(page, "it is not the first of a row's own pages") }
    }

    private func fill(_ bytes: inout [UInt8], from page: UInt64, at offset: Int) throws(PageFault) {
        let isWhole: Bool
        do throws(LMDBError) {
            isWhole = try source.read(at: page * UInt64(pageSize) + UInt64(offset), into: &bytes)
        } catch {
            throw PageFault(page, "it cannot be read: \(error)")
        }
        if !isWhole { throw PageFault(page, "the file was cut off before it") }
    }
}
