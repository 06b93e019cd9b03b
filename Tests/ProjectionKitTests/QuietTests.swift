import EventLog
import LMDB
import Testing

@testable import ProjectionKit

@Suite("Events that a view ignores")
struct QuietTests {
    private let once = Once(strings: Strings())

    /// Returns the stored checkpoint of the view.
    private func written(_ views: ViewStore) throws -> UInt64? {
        var name = Key()
        name.append(Once.name.utf8)
        return try views.environment.read { transaction in
            guard let row = try transaction.get(name, in: views.catalog) else { return nil }
            return ViewState(row)?.checkpoint
        }
    }

    @Test("Ignored events do not cause a checkpoint write at each query, and hide no event that matters")
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
        // When there are too many ignored events to scan again, the checkpoint is written.
        try await test.append(2_000, type: 8)
        #expect(try test.views.held(once).rows == 11)
        #expect(try written(test.views) == 2_811)
        // Events that another process has scanned, or this one before a restart, are scanned again.
        try await test.append(5, type: 8)
        try test.reopen()
        try await test.append(1)
        #expect(try test.views.held(once).rows == 12)
        #expect(try test.views.checkpoint(of: once) == 2_817)
    }
}
