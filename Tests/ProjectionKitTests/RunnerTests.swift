import EventLog
import Foundation
import ProjectionKit
import Testing

@Suite("The projection runner")
struct RunnerTests {
    private let strings = Strings()
    private let reads = Count()
    private var once: Once { Once(strings: strings) }
    private var twice: Twice { Twice(strings: strings) }

    @Test("Each event is applied once, across several pages, and a query sees all events appended before it")
    func onceEach() async throws {
        let test = try TestViews()
        #expect(try test.views.held(once) == Held(sum: 0, rows: 0))
        try await test.append(20_000)
        #expect(try test.views.held(once) == Held(sum: 20_000, rows: 20_000))
        #expect(strings.applied == 20_000)
        #expect(try test.views.checkpoint(of: once) == 20_000)
        for number in 1...20 {
            try await test.append(1)
            #expect(try test.views.held(once).sum == UInt64(20_000 + number))
        }
        #expect(strings.applied == 20_020)
    }

    @Test("Rows and checkpoint are committed together or not at all")
    func atomic() async throws {
        let test = try TestViews()
        try await test.append(100)
        strings.breakStorage(at: 60)
        #expect(throws: EventLogError.self) { try test.views.held(once) }
        #expect(try test.views.checkpoint(of: once) == 0)
        strings.reset()
        #expect(try test.views.held(once) == Held(sum: 100, rows: 100))
    }

    @Test("A projection that throws stops at its event, delays no other, and resumes when the cause is gone")
    func fault() async throws {
        let test = try TestViews()
        try await test.append(9_000)
        strings.fail(at: 8_500)
        for _ in 0..<3 {
            let error = #expect(throws: ProjectionError.self) { try test.views.held(once) }
            #expect(error?.projection == "Tally")
            #expect(error?.position == 8_500)
            #expect(error?.description.contains("Tally stopped at position 8500") == true)
            #expect(try test.views.checkpoint(of: once) == 8_499)
        }
        #expect(try test.views.held(Other(strings: Strings())) == Held(sum: 9_000, rows: 9_000))
        try await test.append(10)
        #expect(throws: ProjectionError.self) { try test.views.held(once) }
        strings.reset()
        #expect(try test.views.held(once) == Held(sum: 9_010, rows: 9_010))
    }

    @Test("A rebuild runs beside the view in use, which answers queries meanwhile")
    func beside() async throws {
        let test = try TestViews()
        try await test.append(20_000)
        #expect(try test.views.held(once).sum == 20_000)
        strings.reset()
        var seen: [Held] = []
        var steps: [UInt64] = []
        try test.views.rebuild(once) { done, total in
            steps.append(done)
            #expect(total == 20_000)
            if let held = try? test.views.held(once) { seen.append(held) }
        }
        #expect(steps == [16_384, 20_000])
        #expect(seen == Array(repeating: Held(sum: 20_000, rows: 20_000), count: 2))
        #expect(strings.applied == 20_000)
        #expect(try test.views.held(once) == Held(sum: 20_000, rows: 20_000))
        #expect(strings.applied == 20_000)
    }

    @Test("Readers see complete views while views are rebuilt and replaced many times")
    func manyRebuilds() async throws {
        let test = try TestViews()
        try await test.append(50)
        let (views, once, reads) = (test.views, once, reads)
        let reader = Task<Void, any Error> {
            while !Task.isCancelled {
                let held = try views.held(once)
                #expect(held == Held(sum: 50, rows: 50))
                reads.add()
                await Task.yield()
            }
        }
        // More rebuilds than the environment can have tables, and some of them during reads.
        var rounds = 0
        while rounds < 200 || reads.value < 20 {
            try views.rebuild(once)
            rounds += 1
            await Task.yield()
        }
        reader.cancel()
        try await reader.value
    }

    @Test("A rebuild that fails leaves the view in use unchanged and can be started again")
    func failedRebuild() async throws {
        let test = try TestViews()
        try await test.append(100)
        #expect(try test.views.held(once).sum == 100)
        strings.fail(at: 70)
        for _ in 0..<3 { #expect(throws: ProjectionError.self) { try test.views.rebuild(once) } }
        #expect(try test.views.held(once) == Held(sum: 100, rows: 100))
        strings.reset()
        try test.views.rebuild(once)
        #expect(strings.applied == 100)
        #expect(try test.views.held(once) == Held(sum: 100, rows: 100))
    }

    @Test("A newer program builds its view beside the older one, which serves until then and is refused afterwards")
    func versions() async throws {
        let test = try TestViews()
        try await test.append(40_000)
        #expect(try test.views.held(once) == Held(sum: 40_000, rows: 40_000))
        // The newer program is stopped halfway: the older program's view is still there and is still updated.
        strings.breakStorage(at: 30_000)
        #expect(throws: EventLogError.self) { try test.views.held(twice) }
        strings.reset()
        try await test.append(5)
        #expect(try test.views.held(once) == Held(sum: 40_005, rows: 40_005))
        // The newer program resumes where it was stopped, and its view replaces the older one.
        let applied = strings.applied
        #expect(try test.views.held(twice) == Held(sum: 80_010, rows: 40_005))
        #expect(strings.applied - applied < 30_000)
        for _ in 0..<2 {
            let error = #expect(throws: NewerView.self) { try test.views.held(once) }
            #expect(error?.description.contains("restart this program") == true)
            try await test.append(1)
        }
        #expect(try test.views.held(twice) == Held(sum: 80_014, rows: 40_007))
        // An explicit rebuild returns to the older version.
        try test.views.rebuild(once)
        #expect(try test.views.held(once) == Held(sum: 40_007, rows: 40_007))
    }

    @Test("A newer view built during a rebuild of the older one is not replaced by that rebuild")
    func beginDuringRebuild() async throws {
        let test = try TestViews()
        try await test.append(10_000)
        #expect(try test.views.held(once).sum == 10_000)
        var isFirst = true
        try test.views.rebuild(once) { _, _ in
            guard isFirst else { return }
            isFirst = false
            #expect((try? test.views.held(twice)) == Held(sum: 20_000, rows: 10_000))
        }
        #expect(!isFirst)
        #expect(try test.views.held(twice) == Held(sum: 20_000, rows: 10_000))
        #expect(throws: NewerView.self) { try test.views.held(once) }
    }

    @Test("A rebuild inside a rebuild, as by two processes, leaves one complete view")
    func rebuildDuringRebuild() async throws {
        let test = try TestViews()
        try await test.append(10_000)
        var depth = 0
        try test.views.rebuild(once) { _, _ in
            guard depth < 3 else { return }
            depth += 1
            #expect(throws: Never.self) { try test.views.rebuild(once) }
            #expect((try? test.views.held(once)) == Held(sum: 10_000, rows: 10_000))
        }
        #expect(try test.views.held(once) == Held(sum: 10_000, rows: 10_000))
    }
}
