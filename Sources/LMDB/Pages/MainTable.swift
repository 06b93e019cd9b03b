/// The content of the unnamed table: the records of all other tables.
struct MainTable {
    private(set) var records: [String: TableRecord] = [:]
    private(set) var faults: [PageFault] = []

    /// Walks the whole table, which is short: a database here has few tables.
    init(_ pages: SnapshotPages, _ meta: MetaPage, _ map: inout PageMap) {
        var walk = TableWalk(pages, meta.main)
        while true {
            switch walk.next(&map) {
            case .end:
                if let problem = walk.problem {
                    faults.append(PageFault(meta.main.root ?? 0, "the main table: \(problem)"))
                }
                return
            case .damage(let fault): faults.append(fault)
            case .leaf:
                for index in 0..<walk.count {
                    guard let name = String(validating: walk.key(index), as: UTF8.self),
                        case .table(let record) = walk.value(index)
                    else {
                        faults.append(walk.leaf.fault("the main table contains a row that is not a table", node: index))
                        continue
                    }
                    if let problem = record.problem(flags: 0, pad: 0) {
                        faults.append(walk.leaf.fault("the table \(name): \(problem)", node: index))
                    } else {
                        records[name] = record
                    }
                }
            }
        }
    }
}
