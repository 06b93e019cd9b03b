import EventLog
import Dispatch
import Foundation
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("Stored checkpoints")
struct CheckpointTests {
    private func fill(_ journal: TestJournal, _ count: Int = 5) async throws {
        for number in 0..<count { try await journal.log.append([TestJournal.event(payload: "\(number)")]) }
    }

    private func kept(_ path: String, of journal: TestJournal) throws -> SignedCheckpoint {
        let key = try NoteVerifier(parsing: FileBytes.read(journal.folder.verifierKey))
        return try SignedCheckpoint(parsing: FileBytes.read(path)[...], verifiedBy: [key])
    }

    @Test("A clean stop stores a checkpoint of the head and the public key that verifies it")
    func cleanStop() async throws {
        let journal = try TestJournal()
        #expect(!FileManager.default.fileExists(atPath: journal.folder.checkpoint))
        try await fill(journal)
        let frames = try journal.log.events(after: 0).map(\.bytes)
        let id = journal.log.description.id
        journal.close()
        let checkpoint = try kept(journal.folder.checkpoint, of: journal).checkpoint
        #expect(checkpoint.origin == "healthjournal/\(id.uuidString.lowercased())")
        #expect(checkpoint.size == 5)
        #expect(checkpoint.root.bytes == MerkleTests.root(frames[...]))
        // There are no new events: the file is not rewritten.
        let before = try DurableFile(path: journal.folder.checkpoint, mode: .read).identity
        try journal.reopen()
        journal.close()
        #expect(try DurableFile(path: journal.folder.checkpoint, mode: .read).identity == before)
        try journal.open()
        try await fill(journal, 1)
        journal.close()
        #expect(try kept(journal.folder.checkpoint, of: journal).checkpoint.size == 6)
    }

    @Test("The stored tree yields the root and the inclusion and consistency proofs of every size")
    func storedTree() async throws {
        let journal = try TestJournal()
        try await fill(journal, 37)
        let frames = try journal.log.events(after: 0).map(\.bytes)
        for size in 0...37 {
            #expect(try journal.log.root(ofSize: UInt64(size)).bytes == MerkleTests.root(frames.prefix(size)))
            for position in 1...max(size, 1) where size > 0 {
                #expect(
                    try journal.log.inclusionProof(of: UInt64(position), in: UInt64(size)).map(\.bytes)
                        == MerkleProofTests.path(position - 1, frames.prefix(size))
                )
                #expect(
                    try journal.log.consistencyProof(from: UInt64(position), to: UInt64(size)).map(\.bytes)
                        == MerkleProofTests.subproof(position, frames.prefix(size))
                )
            }
        }
        func code(_ body: () throws -> Void) -> EventLogError.Code? {
            do {
                try body()
                return nil
            } catch {
                return (error as? EventLogError)?.code
            }
        }
        #expect(code { _ = try journal.log.root(ofSize: 38) } == .notFound)
        for (position, size) in [(0, 3), (4, 3), (38, 38), (UInt64.max, UInt64.max)] as [(UInt64, UInt64)] {
            #expect(code { _ = try journal.log.inclusionProof(of: position, in: size) } == .notFound)
            #expect(code { _ = try journal.log.consistencyProof(from: position, to: size) } == .notFound)
        }
    }

    @Test("A checkpoint on request covers the head, and a read-only log signs one without storing it")
    func onDemand() async throws {
        let journal = try TestJournal()
        try await fill(journal)
        let signed = try journal.log.checkpoint()
        #expect(signed.checkpoint.size == 5)
        #expect(try journal.log.keptCheckpoint == signed)
        #expect(try journal.log.checkpoint() == signed)
        try await fill(journal, 2)
        journal.close()
        try FileManager.default.removeItem(atPath: journal.folder.checkpoint)
        var options = journal.options
        options.isReadOnly = true
        let reader = try EventLog(folder: journal.folder, masterKey: journal.master, options: options)
        #expect(try reader.checkpoint().checkpoint.size == 7)
        #expect(try reader.keptCheckpoint == nil)
        #expect(!FileManager.default.fileExists(atPath: journal.folder.checkpoint))
        #expect(
            reader.verifier?.text.utf8.elementsEqual(try FileBytes.read(journal.folder.verifierKey).dropLast()) == true
        )
    }

    @Test("A checkpoint is stored after a number of events or an interval, without a further append")
    func pace() async throws {
        let journal = try TestJournal()
        func waitFor(_ size: UInt64) async throws {
            for _ in 0..<400 {
                if try journal.log.keptCheckpoint?.checkpoint.size == size { return }
                try await Task.sleep(for: .milliseconds(25))
            }
            Issue.record("no checkpoint of \(size) events was kept")
        }
        journal.options.checkpointPace.interval = .milliseconds(200)
        try journal.reopen()
        try await fill(journal, 3)
        try await waitFor(3)
        try await fill(journal, 1)
        try await waitFor(4)
        journal.options.checkpointPace.interval = .seconds(3_600)
        journal.options.checkpointPace.events = 10
        journal.options.checkpointPace.pause = .milliseconds(1)
        try journal.reopen()
        try await fill(journal, 9)
        #expect(try journal.log.keptCheckpoint?.checkpoint.size == 4)
        try await journal.log.append([TestJournal.event(), TestJournal.event()])
        try await waitFor(15)
    }

    @Test("Checkpoints are copied to a witness file, either copy may be missing, and a failed write is reported")
    func witness() async throws {
        let journal = try TestJournal()
        let folder = try TemporaryFolder()
        let witness = folder.path + "/one.checkpoint"
        journal.options.witness = witness
        try journal.reopen()
        try await fill(journal)
        journal.close()
        #expect(try FileBytes.read(witness) == FileBytes.read(journal.folder.checkpoint))
        for path in [witness, journal.folder.checkpoint] {
            try FileManager.default.removeItem(atPath: path)
            try journal.open()
            try await fill(journal, 1)
            journal.close()
            #expect(try FileBytes.read(witness) == FileBytes.read(journal.folder.checkpoint))
        }
        #expect(try kept(witness, of: journal).checkpoint.size == 7)
        journal.options.witness = folder.path + "/no/such/folder"
        try journal.open()
        try await fill(journal, 1)
        let log = journal.log
        journal.close()
        #expect(log.checkpointProblem?.message.contains("/no/such/folder") == true)
        #expect(try kept(journal.folder.checkpoint, of: journal).checkpoint.size == 8)
    }

    @Test(
        "If the disk is full when the journal is closed, only the new checkpoint is lost",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func fullDisk() async throws {
        let disk = try SmallDisk(kibibytes: 6 << 10)
        let journal = try TestJournal(in: disk.path)
        try await fill(journal)
        try journal.reopen()
        try await fill(journal, 1)
        let ballast = disk.path + "/ballast"
        try FileBytes.write([], to: ballast)
        let file = try #require(FileHandle(forWritingAtPath: ballast))
        while (try? file.write(contentsOf: Data(count: 4_096))) != nil {}
        let log = journal.log
        journal.close()
        #expect(log.checkpointProblem?.code == .diskFull)
        #expect(log.checkpointProblem?.message.contains("the checkpoint cannot be stored") == true)
        #expect(try kept(journal.folder.checkpoint, of: journal).checkpoint.size == 5)
        #expect(try FileManager.default.contentsOfDirectory(atPath: journal.path).filter { $0.contains("new") } == [])
        try file.truncate(atOffset: 0)
        _ = consume log
        try journal.open()
        #expect(try journal.payloads().count == 6)
        journal.close()
        #expect(try kept(journal.folder.checkpoint, of: journal).checkpoint.size == 6)
    }

    @Test("A journal without checkpoints can be opened, and gets its first checkpoint when it is closed")
    func older() async throws {
        let journal = try TestJournal()
        try await fill(journal)
        journal.close()
        try FileManager.default.removeItem(atPath: journal.folder.checkpoint)
        try FileManager.default.removeItem(atPath: journal.folder.verifierKey)
        // Its key file then has no signing key.
        try FileBytes.edit(journal.folder.keys + "/subjects") { $0.removeSubrange(96..<192) }
        var options = journal.options
        options.isReadOnly = true
        do {
            let reader = try EventLog(folder: journal.folder, masterKey: journal.master, options: options)
            #expect(reader.rollback == nil)
            #expect(reader.verifier == nil)
            #expect(throws: EventLogError.self) { try reader.checkpoint() }
        }
        try journal.open()
        #expect(try journal.payloads().count == 5)
        journal.close()
        #expect(try kept(journal.folder.checkpoint, of: journal).checkpoint.size == 5)
    }

    @Test("Storing a checkpoint waits for a concurrent one, and reads the head only afterwards")
    func turns() throws {
        let journal = try TestJournal()
        let log = journal.log
        let taken = DispatchSemaphore(value: 0)
        func append() throws {
            try log.enqueue([TestJournal.event()]) { _ in taken.signal() }
            taken.wait()
        }
        try append()
        let (isHeld, mayEnd, isKept) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let folder = try DurableFile(path: journal.path, mode: .read)
        Thread.detachNewThread {
            try? folder.locked {
                isHeld.signal()
                mayEnd.wait()
            }
        }
        isHeld.wait()
        Thread.detachNewThread {
            _ = try? log.checkpoint()
            isKept.signal()
        }
        #expect(isKept.wait(timeout: .now() + .milliseconds(300)) == .timedOut)
        try append()
        mayEnd.signal()
        isKept.wait()
        #expect(try log.keptCheckpoint?.checkpoint.size == 2)
    }

    @Test("Processes that append concurrently never replace a newer checkpoint with an older one")
    func processes() async throws {
        let journal = try TestJournal()
        journal.options.checkpointPace.events = 1
        journal.options.checkpointPace.pause = .milliseconds(1)
        try journal.reopen()
        let folder = journal.folder
        let key = try NoteVerifier(parsing: FileBytes.read(folder.verifierKey))
        let children = try (0..<4).map { try journal.writer(from: $0 * 40, count: 40, streams: 3, tag: 2) }
        for child in children { #expect(child.readLine() == "ready") }
        for child in children { try child.say("go") }
        var sizes: [UInt64] = []
        for _ in 0..<60 {
            try await journal.log.append([TestJournal.event()])
            if let bytes = try? FileBytes.read(folder.checkpoint) {
                sizes.append(try SignedCheckpoint(parsing: bytes[...], verifiedBy: [key]).checkpoint.size)
            }
        }
        for child in children { #expect(child.readLines().count == 40) }
        #expect(sizes == sizes.sorted())
        #expect(sizes.count > 1)
        journal.close()
        let last = try kept(folder.checkpoint, of: journal).checkpoint
        #expect(last.size == 220)
        try journal.open()
        #expect(try journal.log.root(ofSize: 220) == last.root)
    }
}
