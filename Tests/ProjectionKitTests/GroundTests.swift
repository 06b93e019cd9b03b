import EventLog
import Foundation
import ProjectionKit
import TestSupport
import Testing

@Suite("When views are built anew")
struct GroundTests {
    private let strings = Strings()
    private var once: Once { Once(strings: strings) }

    private func filled(_ count: Int = 40, saying payload: String = "1") async throws -> TestViews {
        let test = try TestViews()
        try await test.append(count, saying: payload)
        _ = try test.views.held(once)
        strings.reset()
        return test
    }

    /// Makes the state file say that it was written under another run of the kernel.
    private func changeBoot(_ test: TestViews) throws {
        try FileBytes.edit(test.folder.views + "/state") { bytes in
            for index in 8..<48 { bytes[index] ^= 0x55 }
        }
    }

    @Test("After a clean end, or a killed process, nothing is built anew", arguments: [true, false])
    func sameBoot(isClean: Bool) async throws {
        let test = try await filled()
        try test.reopen(isClean: isClean)
        #expect(try test.views.held(once) == Held(sum: 40, rows: 40))
        #expect(strings.applied == 0)
    }

    @Test("After a clean end a restart of the machine costs nothing; after an unclean one all is built anew")
    func otherBoot() async throws {
        let test = try await filled()
        try test.reopen(isClean: true) { try changeBoot(test) }
        #expect(try test.views.held(once) == Held(sum: 40, rows: 40))
        #expect(strings.applied == 0)
        try await test.append(1)
        #expect(try test.views.held(once).sum == 41)
        strings.reset()
        try test.reopen(isClean: false) { try changeBoot(test) }
        #expect(try test.views.held(once) == Held(sum: 41, rows: 41))
        #expect(strings.applied == 41)
    }

    @Test("What was written after a clean end counts as unclean again")
    func dirtyAgain() async throws {
        let test = try await filled()
        test.views.close()
        try await test.append(1)
        #expect(try test.views.held(once).sum == 41)
        strings.reset()
        try test.reopen(isClean: false) { try changeBoot(test) }
        #expect(try test.views.held(once) == Held(sum: 41, rows: 41))
        #expect(strings.applied == 41)
    }

    @Test("Views that were deleted are built anew")
    func deleted() async throws {
        let test = try await filled()
        try test.reopen { try FileManager.default.removeItem(atPath: test.folder.views) }
        #expect(try test.views.held(once) == Held(sum: 40, rows: 40))
        #expect(strings.applied == 40)
    }

    @Test("Files that are no views, or damaged ones, are built anew", arguments: ["data.mdb", "state", "lock.mdb"])
    func damaged(file: String) async throws {
        let test = try await filled()
        try test.reopen {
            let path = test.folder.views + "/" + file
            let size = try FileBytes.read(path).count
            try FileBytes.write([UInt8](repeating: 0xA5, count: size), to: path)
        }
        #expect(try test.views.held(once) == Held(sum: 40, rows: 40))
    }

    @Test("A lone state file or a lone data file is no view", arguments: ["data.mdb", "state"])
    func halves(file: String) async throws {
        let test = try await filled()
        try test.reopen { try FileManager.default.removeItem(atPath: test.folder.views + "/" + file) }
        #expect(try test.views.held(once) == Held(sum: 40, rows: 40))
    }

    @Test("The views of another journal are not taken for one's own")
    func foreign() async throws {
        let other = try await filled(40, saying: "1000")
        let test = try await filled(60)
        try other.reopen()
        try test.reopen { try test.copy(other.folder.views, to: test.folder.views) }
        #expect(try test.views.held(once) == Held(sum: 60, rows: 60))
    }

    @Test("Views that are ahead of a log that was set back are built anew", arguments: [0, 5])
    func ahead(further: Int) async throws {
        let test = try await filled(30)
        let saved = test.folder.path + "-saved"
        defer { try? FileManager.default.removeItem(atPath: saved) }
        try test.reopen {
            try test.copy(test.folder.log, to: saved)
        }
        try await test.append(10, saying: "100")
        #expect(try test.views.held(once).sum == 1_030)
        try test.reopen {
            try test.copy(saved, to: test.folder.log)
            try FileManager.default.removeItem(atPath: test.folder.index)
            // Else the log itself would not be opened.
            try FileManager.default.removeItem(atPath: test.folder.checkpoint)
        }
        // Shorter than the views, or as long and other.
        if further > 0 { try await test.append(further + 5, saying: "7") }
        let expected =
            further > 0 ? Held(sum: 30 + 7 * UInt64(further + 5), rows: 35 + further) : Held(sum: 30, rows: 30)
        #expect(try test.views.held(once) == expected)
    }
}
