/// The walk over the list of free pages: transaction → page numbers in descending order.
///
/// If the list contains a page that is in use, the next append would overwrite that page.
struct FreeList {
    let pages: SnapshotPages
    let meta: MetaPage

    /// Marks the free pages and the pages of the list itself, and returns the faults.
    func walk(_ map: inout PageMap) -> [PageFault] {
        var faults: [PageFault] = []
        var walk = TableWalk(pages, meta.free, order: .integers)
        loop: while true {
            switch walk.next(&map) {
            case .end: break loop
            case .damage(let fault): faults.append(fault)
            case .leaf:
                for index in 0..<walk.count {
                    do throws(PageFault) {
                        try check(walk, index, &map)
                    } catch {
                        faults.append(error)
                    }
                }
            }
        }
        if let problem = walk.problem { faults.append(PageFault(meta.free.root ?? 0, "the free list: \(problem)")) }
        return faults
    }

    private func check(_ walk: TableWalk, _ index: Int, _ map: inout PageMap) throws(PageFault) {
        let number = walk.leaf.number
        let transaction = walk.key(index).raw.integer(at: 0, as: UInt64.self)
        guard transaction > 0, transaction <= meta.transaction else {
            throw PageFault(number, "the free list names a transaction that has not been committed")
        }
        switch walk.value(index) {
        case .inside(let range): try check(Array(walk.bytes[range]), number, &map)
        case .overflow(let page, let size): try check(pages.overflow(page, size: size), page, &map)
        case .bad(let what): throw PageFault(number, what)
        case .table: throw PageFault(number, "the free list contains a table")
        }
    }

    /// Checks one list of free pages, which may have unused space after its end.
    private func check(_ list: [UInt8], _ page: UInt64, _ map: inout PageMap) throws(PageFault) {
        let raw = list.raw
        guard list.count >= 8, list.count % 8 == 0, case let count = raw.integer(at: 0, as: UInt64.self),
            count <= UInt64(list.count / 8 - 1)
        else { throw PageFault(page, "a list of free pages is longer than its row") }
        var last = UInt64.max
        for index in 0..<Int(count) {
            let free = raw.integer(at: 8 + 8 * index, as: UInt64.self)
            guard free < last else { throw PageFault(page, "a list of free pages is not in order") }
            last = free
            guard map.mark(free) else {
                throw PageFault(page, "page \(free) is in the list of free pages, but is not free")
            }
        }
    }
}
