import EventLog
import LMDB
import Testing

@testable import ProjectionKit

@Suite("Events that do not matter to a view")
struct QuietTests {
    private let once = Once(strings: Strings())

    /// The checkpoint as it is written down.
    private func written(_ views: ViewStore) throws -> UInt64? {
        var name = Key()
        name.append(Once.name.utf8)
        return try views.environment.read { transaction in
            guard let row = try transaction.get(name, in: views.catalog) else { return nil }
            return ViewState(row)?.checkpoint
        }
    }

    @Test("Are not written down at each query, and hide none that does")
    func quiet() async throws {
        let test = try TestViews()
        try await test.append(10)
        #expect(try test.views.held(once).rows == 10)
        #expect(try written(test.views) == 10)
        for head: UInt64 in [410, 810] {
            try await test.append(400, type: 8)
            #expect(try test.views.held(once).rows == 10)
            #expect(try written(test.views) == 10)
            #expect(try test.views.checkpoint(of: once) == head)
        }
        try await test.append(1)
        #expect(try test.views.held(once).rows == 11)
        #expect(try written(test.views) == 811)
        // What is too much to be looked through again is written down.
        try await test.append(2_000, type: 8)
        #expect(try test.views.held(once).rows == 11)
        #expect(try written(test.views) == 2_811)
        // Another process's look is one that this one did not see; so is one before a restart.
        try await test.append(5, type: 8)
        try test.reopen()
        try await test.append(1)
        #expect(try test.views.held(once).rows == 12)
        #expect(try test.views.checkpoint(of: once) == 2_817)
    }
}
