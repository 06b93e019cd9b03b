import EventLog
import Foundation
import ProjectionKit
import TestSupport
import Testing

@Suite("Rebuilding views")
struct RebuildTests {
    private let strings = Strings()
    private var once: Once { Once(strings: strings) }

    private func filled(_ count: Int = 40, saying payload: String = "1") async throws -> TestViews {
        let test = try TestViews()
        try await test.append(count, saying: payload)
        _ = try test.views.held(once)
        strings.reset()
        return test
    }

    /// Changes the boot id in the state file, as if another boot had written it.
    private func changeBoot(_ test: TestViews) throws {
        try FileBytes.edit(test.folder.views + "/state") { bytes in
            for index in 8..<48 { bytes[index] ^= 0x55 }
        }
    }

    @Test("Nothing is rebuilt after a clean end or after the process was killed", arguments: [true, false])
    func sameBoot(isClean: Bool) async throws {
        let test = try await filled()
        try test.reopen(isClean: isClean)
        #expect(try test.views.held(once) == Held(sum: 40, rows: 40))
        #expect(strings.applied == 0)
    }

    @Test("After a reboot nothing is rebuilt if the end was clean, and everything if it was not")
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

    @Test("A write after a clean end makes the state unclean again")
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

    @Test("Deleted views are rebuilt")
    func deleted() async throws {
        let test = try await filled()
        try test.reopen { try FileManager.default.removeItem(atPath: test.folder.views) }
        #expect(try test.views.held(once) == Held(sum: 40, rows: 40))
        #expect(strings.applied == 40)
    }

    @Test("Views with damaged or foreign files are rebuilt", arguments: ["data.mdb", "state", "lock.mdb"])
    func damaged(file: String) async throws {
        let test = try await filled()
        try test.reopen {
            let path = test.folder.views + "/" + file
            let size = try FileBytes.read(path).count
            try FileBytes.write([UInt8](repeating: 0xA5, count: size), to: path)
        }
        #expect(try test.views.held(once) == Held(sum: 40, rows: 40))
    }

    @Test("Views with only a state file or only a data file are rebuilt", arguments: ["data.mdb", "state"])
    func halves(file: String) async throws {
        let test = try await filled()
        try test.reopen { try FileManager.default.removeItem(atPath: test.folder.views + "/" + file) }
        #expect(try test.views.held(once) == Held(sum: 40, rows: 40))
    }

    @Test("The views of another journal are not used")
    func foreign() async throws {
        let other = try await filled(40, saying: "1000")
        let test = try await filled(60)
        try other.reopen()
        try test.reopen { try test.copy(other.folder.views, to: test.folder.views) }
        #expect(try test.views.held(once) == Held(sum: 60, rows: 60))
    }

    @Test("Views that are ahead of a restored log are rebuilt", arguments: [0, 5])
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
            // Otherwise the log itself would be refused as rolled back.
            try FileManager.default.removeItem(atPath: test.folder.checkpoint)
        }
        // The log is shorter than the views, or as long but with other events.
        if further > 0 { try await test.append(further + 5, saying: "7") }
        let expected =
            further > 0 ? Held(sum: 30 + 7 * UInt64(further + 5), rows: 35 + further) : Held(sum: 30, rows: 30)
        #expect(try test.views.held(once) == expected)
    }
}
