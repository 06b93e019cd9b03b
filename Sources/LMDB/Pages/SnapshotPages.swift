internal import Platform

/// The pages of one snapshot: copies of those that a writer might reuse, and all others as they are in the file.
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

    /// Fills a buffer with one page.
    func read(_ page: UInt64, into bytes: inout [UInt8]) throws(PageFault) {
        guard page >= 2, page <= lastPage else { throw PageFault(page, "the file has no such page") }
        if let copy = held[page] {
            bytes = copy
            return
        }
        try fill(&bytes, from: page, at: 0)
    }

    /// Returns the value of a row that is stored in overflow pages.
    package func overflow(_ page: UInt64, size: Int, atMost limit: Int = .max) throws(PageFault) -> [UInt8] {
        try checkOverflow(page, size: size)
        guard size <= limit else { throw PageFault(page, "its row is larger than allowed") }
        var bytes = [UInt8](repeating: 0, count: size)
        try fill(&bytes, from: page, at: TreePage.headerLength)
        return bytes
    }

    /// Returns the number of overflow pages of a value of `size` bytes.
    func overflowPages(size: Int) -> UInt64 {
        UInt64((TreePage.headerLength - 1 + size) / pageSize + 1)
    }

    /// Checks the first overflow page of a value, before the size of the value is trusted.
    func checkOverflow(_ page: UInt64, size: Int) throws(PageFault) {
        let count = overflowPages(size: size)
        guard size > 0, UInt64(size) <= source.size, page >= 2, page <= lastPage, count <= lastPage - page + 1 else {
            throw PageFault(page, "a row's overflow pages are outside the file")
        }
        var header = [UInt8](repeating: 0, count: TreePage.headerLength)
        try fill(&header, from: page, at: 0)
        let raw = header.raw
        guard raw.integer(at: 0, as: UInt64.self) == page, raw.integer(at: 8, as: UInt16.self) == 0,
            raw.integer(at: 10, as: UInt16.self) == 0x04, raw.integer(at: 12, as: UInt32.self) == count
        else { throw PageFault(page, "it is not the first of a row's overflow pages") }
    }

    private func fill(_ bytes: inout [UInt8], from page: UInt64, at offset: Int) throws(PageFault) {
        let isWhole: Bool
        do throws(StorageError) {
            isWhole = try source.read(at: page * UInt64(pageSize) + UInt64(offset), into: &bytes)
        } catch {
            throw PageFault(page, "it cannot be read: \(error)")
        }
        if !isWhole { throw PageFault(page, "the file is truncated before it") }
    }
}
