import EventLog
import LMDB
import Testing

@testable import ProjectionKit

@Suite("Views of a newer version")
struct SwapTests {
    @Test(
        "A newer view replaces the older one and removes its rows, so that the file does not grow"
    )
    func removed() async throws {
        let test = try TestViews()
        let (once, twice) = (Once(strings: Strings()), Twice(strings: Strings()))
        try await test.append(20_000)
        #expect(try test.views.held(once).rows == 20_000)
        #expect(try test.views.held(twice).rows == 20_000)
        let views = test.views
        /// Returns the row counts of both sets of tables, in ascending order.
        func rows() throws -> [Int] {
            try views.environment.read { transaction in
                try (0..<2)
                    .map { slot in
                        guard let table = try transaction.table("Tally.\(slot).rows") else { return 0 }
                        return try transaction.count(of: table)
                    }
                    .sorted()
            }
        }
        #expect(try rows() == [0, 20_000])
        try views.rebuild(twice)
        let size = views.environment.size.used
        for _ in 1...5 { try views.rebuild(twice) }
        #expect(try rows() == [0, 20_000])
        #expect(views.environment.size.used <= size + size / 4)
    }
}
