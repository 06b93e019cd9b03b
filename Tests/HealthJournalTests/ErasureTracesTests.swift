import Crypto
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalEvents
import MedicalRecords
import TestSupport
import Testing

@testable import JournalCore

@Suite("What an erasure leaves")
struct ErasureTracesTests {
    @Test("No file contains a value of the record, its data key, or the sealed key")
    func bytes() async throws {
        let life = try await Life()
        let home = life.home
        let (raw, slot) = try (life.key, life.slot)
        // The search works: before the erasure it finds the sealed key and the attachment.
        #expect(!places(of: Array(slot[24..<84]), in: home.folder).isEmpty)
        let blobs = try FileManager.default.subpathsOfDirectory(atPath: home.folder.blobs)
            .filter { $0.contains(life.record.text) }
        #expect(!blobs.isEmpty)
        #expect(try home.journal.log.isErased(life.record) == false)

        _ = try await home.journal.erasure.eraseRecord(life.record, home.owner.giving(reason: "asked for by herself"))
        // The views are checked as they are, after they were rebuilt, and after a restart.
        for step in 0..<3 {
            if step == 1 {
                for view in Journal.viewNames {
                    _ = try await home.journal.rebuildView(view, home.owner)
                }
            }
            if step == 2 { try home.reopen() }
            for (name, value) in life.values {
                #expect(places(of: Array(value.utf8), in: home.folder).isEmpty, "\(name), step \(step)")
                #expect(
                    places(of: Array(value.utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, in: home.folder)
                        .isEmpty
                )
            }
            for (name, secret) in [
                ("key", raw), ("base64", Array(Data(raw).base64EncodedString().utf8)), ("hex", Array(hex(raw).utf8)),
                ("sealed key", Array(slot[36..<68])), ("nonce", Array(slot[24..<36])), ("tag", Array(slot[68..<84])),
            ] {
                #expect(places(of: secret, in: home.folder).isEmpty, "\(name), step \(step)")
            }
        }
        let left = try FileManager.default.subpathsOfDirectory(atPath: home.folder.blobs)
        #expect(!left.contains { $0.contains(life.record.text) && !$0.hasSuffix(life.record.text) })
        #expect(Set(left).isDisjoint(with: blobs.filter { $0 != life.record.text }))
    }

    @Test("Other records are exported byte for byte as before, and earlier proofs remain valid")
    func others() async throws {
        let life = try await Life()
        let (home, journal) = (life.home, life.home.journal)
        let head = try home.head
        let before = try await life.exports(asOf: head)
        let proofs = try proofs(journal, upTo: head)
        let root = try journal.log.root(ofSize: head)
        _ = try await journal.erasure.eraseRecord(life.record, home.owner.giving(reason: "asked"))
        #expect(try await life.exports(asOf: head) == before)
        #expect(before.count == 2)
        #expect(try journal.log.root(ofSize: head) == root)
        #expect(try self.proofs(journal, upTo: head) == proofs)
        for (position, path) in zip(UInt64(1)..., proofs) {
            let leaf = MerkleHash.leaf(try journal.log.event(at: position).bytes)
            try MerkleProof.checkInclusion(of: leaf, at: position - 1, in: head, root: root, path: path)
        }
        let now = try home.head
        try MerkleProof.checkConsistency(
            from: head,
            root: root,
            to: now,
            newRoot: journal.log.root(ofSize: now),
            path: journal.log.consistencyProof(from: head, to: now)
        )
        let verification = try journal.log.verify()
        #expect(verification.isSound)
        #expect(verification.faults.isEmpty)
    }

    private func proofs(_ journal: Journal, upTo head: UInt64) throws -> [[MerkleHash]] {
        try (1...head).map { try journal.log.inclusionProof(of: $0, in: head) }
    }

    @Test("Existing backups lose the key at their next run, new ones never have it, and the receipt names the others")
    func backups() async throws {
        let life = try await Life()
        let (home, journal) = (life.home, life.home.journal)
        let (raw, slot) = try (life.key, life.slot)
        let outer = URL(filePath: home.folder.path).deletingLastPathComponent().path
        let (kept, refreshed, fresh) = (outer + "/kept", outer + "/refreshed", outer + "/fresh")
        let made = try await journal.maintenance.backUp(to: kept, home.owner)
        let other = try await journal.maintenance.backUp(to: refreshed, home.owner)
        #expect(
            !places(of: Array(slot[36..<68]), in: JournalFolder(refreshed)).isEmpty,
            "what is looked for can be found"
        )
        let erased = try await journal.erasure.eraseRecord(life.record, home.owner.giving(reason: "asked for"))
        #expect(try await holders(of: life) == [made.report.place, other.report.place])
        _ = try await journal.maintenance.backUp(to: refreshed, home.owner)
        _ = try await journal.maintenance.backUp(to: fresh, home.owner)
        for folder in [refreshed, fresh].map(JournalFolder.init) {
            let secrets = [raw, Array(slot[24..<36]), Array(slot[36..<68]), Array(slot[68..<84])]
            for secret in secrets { #expect(places(of: secret, in: folder).isEmpty) }
            for (name, value) in life.values { #expect(places(of: Array(value.utf8), in: folder).isEmpty, "\(name)") }
            let blobs = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(!blobs.contains { $0.contains(life.record.text + "/") })
        }
        #expect(try await holders(of: life) == [made.report.place])

        // Restoring the earlier backup does not restore the record, because the current journal contains the erasure.
        var request = RestoreRequest(
            backup: kept,
            folder: JournalFolder(outer + "/restored"),
            masterKeyFile: try home.writeMasterKey(),
            account: Journal.ownerName,
            reason: "a fire",
            source: .commandLine
        )
        request.current = home.folder
        request.log.mapSize = 4 << 30
        _ = try await Journal.Maintenance.restore(request)
        let restored = try Journal(
            folder: request.folder,
            masterKey: MasterKey(file: request.masterKeyFile),
            options: request.log
        )
        defer { restored.close() }
        #expect(places(of: Array(slot[36..<68]), in: request.folder).isEmpty)
        let owner = try restored.accounts.caller(Journal.ownerName, source: .commandLine)
        let error = await refusal { _ = try await restored.records.read(life.record, ReadOptions(), owner) }
        #expect(error?.code == .erased)
        #expect(error?.message.hasPrefix("record \(life.record.text): erased on ") == true)
        #expect(try await restored.records.listRecords(owner).map(\.id) == life.others)
        #expect(try restored.medicalRecords.erasure(of: life.record) != erased.position)
        #expect(try restored.log.verify().isSound)
    }

    /// Returns the backup locations that the receipt names.
    private func holders(of life: Life) async throws -> [String] {
        let receipt = try await life.home.journal.erasure.receipt(of: life.record, life.home.owner)
        return try ErasureReceipt(parsing: Array(receipt.text.utf8)).backups.map(\.place)
    }

    @Test("Under a key that stays, nothing of the record is stored but who erased it, when and why")
    func journalKey() async throws {
        let life = try await Life()
        let home = life.home
        let erased = try await home.journal.erasure.eraseRecord(
            life.record,
            home.owner.giving(reason: "asked for by herself")
        )
        let stranger = try await home.account("stranger")
        for caller in [stranger, life.caregiver] {
            var curious = caller
            curious.purpose = life.values["purpose"] ?? ""
            let refused = await refusal { _ = try await home.journal.records.read(life.record, ReadOptions(), curious) }
            #expect(refused?.code == .refused)
        }
        // This collects all events that can still be decrypted.
        var readable = ""
        for stored in try home.journal.log.events(after: 0, limit: 100_000) {
            do {
                let event = try home.journal.log.recorded(stored)
                readable += "\(event)\n"
                if stored.header.record == life.record, event.type != AccessDenied.type {
                    #expect(event.stamp.position == erased.position)
                    #expect(event.reason == "asked for by herself")
                }
            } catch let error as EventLogError {
                #expect(error.code == .subjectErased)
                #expect(stored.header.subject == life.record)
            }
        }
        for (name, value) in life.values { #expect(!readable.contains(value), "\(name)") }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Returns the paths of the files that contain `needle`; files are mapped, because databases are too large to read.
private func places(of needle: [UInt8], in folder: JournalFolder) -> [String] {
    let wanted = Data(needle)
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { path in
        if path.utf8.elementsEqual(needle) || path.contains(String(decoding: needle, as: UTF8.self)) { return true }
        guard let data = try? Data(contentsOf: URL(filePath: folder.path + "/" + path), options: .alwaysMapped) else {
            return false
        }
        return data.range(of: wanted) != nil
    }
}

/// A journal in which one record has a long history and others exist beside it.
private final class Life {
    let home: TestHousehold
    let record: UUID
    let others: [UUID]
    let caregiver: Caller
    /// Every text that was stored for the record, each too long to occur by chance.
    let values: [String: String]

    init() async throws {
        home = try await TestHousehold()
        var values = [
            "name": "Xantippella Quorrington", "microchip": "756098100998877", "breed": "Zwergschnorchelhund",
            "vet": "Dr. Wolfhilde Zantermann", "vet note": "comes by on Thursdays only, says the note",
            "purpose": "to look at the spleen of Xantippella", "reason": "because the scale stood on a carpet",
            "grant reason": "her aunt looks after her in May", "document": "this is the attachment of Xantippella",
            "document name": "Splenogramme.pdf", "comment": "limps since Pentecost, left hind leg",
            "drug": "Metacamizol forte", "amount": "987654321.25", "category": "Splenectomy",
        ]
        var profile = RecordProfile(subject: .animal)
        try profile.set("name", text: values["name"] ?? "")
        try profile.set("animalID", text: values["microchip"] ?? "")
        try profile.set("breed", text: values["breed"] ?? "")
        try profile.set("vet.contactName", text: values["vet"] ?? "")
        try profile.set("vet.note", text: values["vet note"] ?? "")
        let owner = home.owner
        record = try #require(try await home.journal.records.createRecord(profile, owner).record)
        caregiver = try await home.account("aunt")
        others = [try await home.person("Ida"), try await home.person("Otto")]
        for number in 0..<40 {
            let comment = "comment number \(number) of Xantippella"
            values["comment \(number)"] = comment
            _ = try await home.add(
                "weight",
                ["value": "\(number + 1).75", "unit": "kg", "comment": comment],
                to: record
            )
            _ = try await home.add("drug", ["name": "common drug \(number)"], to: others[number % 2])
        }
        let cost = try await home.add(
            "cost",
            ["year": "2024", "amount": "1", "currency": "CHF", "basis": "item", "category": values["category"] ?? ""],
            to: record
        )
        _ = try await home.journal.entries.correctEntry(cost, owner.giving(reason: values["reason"] ?? "")) {
            content throws(ModelError) in
            try content.set("amount", text: "987654321.25")
            try content.set("comment", text: "limps since Pentecost, left hind leg")
        }
        _ = try await home.add("drug", ["name": values["drug"] ?? ""], to: record)
        _ = try await home.journal.entries.attachDocument(
            Array((values["document"] ?? "").utf8),
            entry("document", ["name": values["document name"] ?? ""]),
            to: record,
            owner
        )
        _ = try await home.journal.entries.attachDocument(
            Array("kept".utf8),
            entry("document", ["name": "k"]),
            to: others[0],
            owner
        )
        _ = try await home.journal.sharing.grant(
            GrantTerms(),
            to: caregiver.account,
            on: record,
            owner.giving(reason: values["grant reason"] ?? "")
        )
        var reader = caregiver
        reader.purpose = values["purpose"] ?? ""
        _ = try await home.journal.records.read(record, ReadOptions(), reader)
        _ = try await home.journal.records.costs(of: record, owner)
        var stranger = try await home.account("curious")
        stranger.purpose = values["purpose"] ?? ""
        _ = await refusal { [home, record] in _ = try await home.journal.records.read(record, ReadOptions(), stranger) }
        self.values = values
    }

    /// The record's data key.
    var key: [UInt8] {
        get throws { unsafe try home.journal.log.keys.key(for: record).withUnsafeBytes { unsafe [UInt8]($0) } }
    }

    /// The record's slot in the key file, which contains the sealed key.
    var slot: [UInt8] {
        get throws {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: home.folder.keys + "/subjects")))
            let id = [UInt8](record)
            let start = try #require(
                stride(from: 96, to: bytes.count - 95, by: 96).first { Array(bytes[($0 + 8)..<($0 + 24)]) == id }
            )
            return Array(bytes[start..<(start + 96)])
        }
    }

    /// Returns the exports of the other records, in each format.
    func exports(asOf position: UInt64) async throws -> [UUID: [String]] {
        var exports: [UUID: [String]] = [:]
        for id in others {
            let exported = try await home.journal.exports.export(
                id,
                ReadOptions(asOf: .position(position)),
                by: home.owner
            )
            var (native, purus, table): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
            try await exported.writeNative { native += $0 }
            try await exported.writePurus { purus += $0 }
            try await exported.writeTable { table += $0 }
            exports[id] = [native, purus, table].map { String(decoding: $0, as: UTF8.self) }
        }
        return exports
    }
}
