import Foundation
import HTTPTypes
import HealthJournal
import Platform
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Full disk")
struct FullDiskTests {
    @Test(
        "On a full disk changes are answered with 507 that says what to do, and once there is space they succeed",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func full() async throws {
        let disk = try SmallDisk(kibibytes: 192 << 10)
        let fixture = try await ServiceFixture(in: disk.path)
        var settings = ServerSettings()
        settings.rates.writesPerSecond = nil
        try await fixture.serve(settings: settings) { client in
            let record = try await client.person()
            let address = "/v1/records/\(record)/entries/weight"
            let comment = String(repeating: "x", count: 900)
            let weight = ##"{"date": "2026-01-01", "value": "70", "unit": "kg", "comment": "\##(comment)"}"##
            #expect(try await client.post(address, weight).status == 201)
            let filler = try DurableFile(path: disk.path + "/filler", mode: .create)
            try filler.allocate(Int(try #require(Filesystem.freeBytes(at: disk.path))))
            // The log's own free pages are used up.
            var answer = try await client.post(address, weight)
            for _ in 0..<5_000 where answer.status == 201 { answer = try await client.post(address, weight) }
            #expect(answer.status == 507)
            #expect(answer.problem == "insufficient-storage")
            #expect(answer.headers[.contentType] == "application/problem+json")
            #expect(answer.text.contains("free some space"))
            #expect(!answer.text.contains(disk.path))
            #expect(try await client.get("/fhir/metadata").status == 200)
            try filler.truncate(to: 0)
            #expect(try await client.post(address, weight).status == 201)
        }
    }
}
