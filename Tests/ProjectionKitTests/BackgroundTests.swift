import EventLog
import ProjectionKit
import Testing

@Suite("Views updated in the background")
struct BackgroundTests {
    private let strings = Strings()
    private var once: Once { Once(strings: strings) }

    @Test("A query of a view that lags far behind fails at once with its progress, and succeeds after the catch-up")
    func catchingUp() async throws {
        let test = try TestViews()
        try await test.append(40_000)
        test.views.answerOnlyWhenUpToDate()
        let error = #expect(throws: ViewCatchingUp.self) { try test.views.held(once) }
        #expect(error?.total == 40_000)
        #expect((error?.done ?? .max) < 40_000)
        #expect((error?.seconds ?? 0) > 0)
        let sum = try await answer { try test.views.held(once).sum }
        #expect(sum == 40_000)
        // A query brings a view that lags only a little up to date itself.
        try await test.append(100)
        #expect(try await answer { try test.views.held(once).sum } == 40_100)
    }

    @Test("An error that stops a view in the background is reported to callers, and the view is retried")
    func failure() async throws {
        let test = try TestViews()
        try await test.append(20_000)
        strings.fail(at: 100)
        test.views.answerOnlyWhenUpToDate()
        await #expect(throws: ProjectionError.self) { try await answer { try test.views.held(once).sum } }
        strings.reset()
        #expect(try await answer { try test.views.held(once).sum } == 20_000)
    }

    /// Repeats a query until the view has caught up.
    private func answer<Result>(_ body: () throws -> Result) async throws -> Result {
        for _ in 0..<1_000 {
            do {
                return try body()
            } catch let error where error is ViewCatchingUp || error is ViewLagging {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        return try body()
    }
}
