import LMDB
import TestSupport

/// A database in a temporary folder that is deleted after the test.
final class TestDatabase {
    let path: String
    private let folder: TemporaryFolder
    private var opened: Environment?

    init(_ options: Environment.Options = TestDatabase.options()) throws {
        folder = try TemporaryFolder()
        path = folder.path
        opened = try Environment(folder: path, options: options)
    }

    var environment: Environment {
        guard let opened else { fatalError("the test closed its database") }
        return opened
    }

    func close() {
        opened = nil
    }

    func open(_ options: Environment.Options = TestDatabase.options()) throws {
        opened = try Environment(folder: path, options: options)
    }

    static func options(mapSize: Int = 1 << 30, readers: UInt32 = 126, isReadOnly: Bool = false) -> Environment.Options
    {
        var options = Environment.Options()
        options.mapSize = mapSize
        options.maximumReaders = readers
        options.isReadOnly = isReadOnly
        return options
    }

    /// Stores bytes under a number in a table.
    func put(_ key: UInt64, _ value: [UInt8], in name: String = "numbers") throws {
        try environment.write { transaction in
            try transaction.put(Key(key), value.raw, in: transaction.makeTable(name))
        }
    }

    /// Returns the bytes under a number, or nil if the key or the table does not exist.
    func get(_ key: UInt64, in name: String = "numbers") throws -> [UInt8]? {
        try environment.read { transaction in
            guard let table = try transaction.table(name) else { return nil }
            return try transaction.get(Key(key), in: table)?.copy
        }
    }
}
