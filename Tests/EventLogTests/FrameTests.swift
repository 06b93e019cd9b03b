import Crypto
import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

@Suite("Frames")
struct FrameTests {
    /// The bytes of a frame header of format version 1, which must never change.
    private static let header = """
        01 00 b0 00 05 00 00 00
        08 07 06 05 04 03 02 01 15 00 00 00 00 00 00 00 14 13 12 11 00 00 00 00 34 12 00 00 00 00 00 00
        c0 4b 9e 0d 5c 1a 06 00
        00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f
        20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e 2f
        02 01 04 03 06 05 08 07
        30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f 40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f
        50 51 52 53 54 55 56 57 58 59 5a 5b 5c 5d 5e 5f 60 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f
        fe ff ff ff 0a 09 02 00
        """

    /// A complete sealed frame, with the key 00 01 … 1f and the payload "hello".
    private static let golden =
        header + """
            a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab
            8e 7d 10 41 2a 86 87 00 30 1c 36 c1 05 d5 9a 14 22 bc 73 8d be
            """

    private static let key = SymmetricKey(data: (0..<32).map { UInt8($0) })

    private static func bytes(_ text: String) -> [UInt8] {
        EventLogTests.bytes(hexadecimal: text.filter { !$0.isWhitespace })
    }

    private static func id(_ start: UInt8) -> UUID {
        func at(_ offset: UInt8) -> UInt8 { start + offset }
        return UUID(
            uuid: (
                at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11), at(12), at(13),
                at(14), at(15)
            )
        )
    }

    private static var eventHeader: EventHeader {
        var header = EventHeader(
            stream: id(0x00),
            id: id(0x10),
            subject: id(0x20),
            type: 0x0102,
            schemaVersion: 0x0304,
            category: 0x0506,
            actor: id(0x30),
            correlation: id(0x40),
            source: 0x090A
        )
        header.kind = 0x0708
        header.causation = id(0x50)
        header.entry = id(0x60)
        header.occurred = EventHeader.Occurred(daysSince1970: -2, isInstant: true)
        return header
    }

    private static func stamped(_ payload: [UInt8] = Array("hello".utf8)) throws -> [UInt8] {
        var frame = try SealedFrame(eventHeader, payload: payload, key: Sealing.NewKey(key: key)).bytes
        var span = frame.mutableSpan
        var bytes = unsafe span.mutableBytes
        FrameStamp(
            position: 0x0102_0304_0506_0708,
            streamPosition: 0x15,
            previous: 0x1112_1314,
            skip: 0x1234,
            recordedAt: 0x0006_1A5C_0D9E_4BC0
        )
        .write(to: &bytes)
        return frame
    }

    @Test("The header of a frame matches format version 1 byte by byte")
    func goldenHeader() throws {
        let frame = try FrameTests.stamped()
        #expect(hexadecimal(frame[..<176]) == hexadecimal(FrameTests.bytes(FrameTests.header)))
        #expect(frame.count == 176 + 12 + 5 + 16)
    }

    @Test("A stored frame of format version 1 is read and opened")
    func goldenFrame() throws {
        let bytes = FrameTests.bytes(FrameTests.golden)
        let position: UInt64 = 0x0102_0304_0506_0708
        let stored = try Frame(bytes.raw, at: position).copy
        #expect(stored.position == position)
        #expect(stored.streamPosition == 0x15)
        #expect(stored.previous == 0x1112_1314)
        #expect(stored.skip == 0x1234)
        #expect(stored.recordedAt == 0x0006_1A5C_0D9E_4BC0)
        #expect(stored.header == FrameTests.eventHeader)
        #expect(stored.bytes == bytes)
        #expect(try FrameSeal.open(bytes.raw, key: FrameTests.key, at: position) == Array("hello".utf8))
        #expect(
            hexadecimal(MerkleHash.leaf(bytes).bytes)
                == "e5ce45494dc4f34c87e119eb9180a403543c581516a111be21065e86028d6eac"
        )
    }

    @Test("An event of an entry has format version 2, and is sealed under the key of its entry")
    func entryVersion() throws {
        var header = FrameTests.eventHeader
        header.category = EventLog.entryCategory
        let frame = try SealedFrame(header, payload: [], key: Sealing.NewKey(key: FrameTests.key)).bytes
        #expect(frame[0] == 2)
        header.type = EventLog.entryErasedType
        #expect(try SealedFrame(header, payload: [], key: Sealing.NewKey(key: FrameTests.key)).bytes[0] == 1)
        (header.type, header.entry) = (30, .zero)
        #expect(try SealedFrame(header, payload: [], key: Sealing.NewKey(key: FrameTests.key)).bytes[0] == 1)
    }

    /// The values were computed with Python's hashlib.
    @Test("The keys and the ids of the slots of entries match the stored format byte by byte")
    func goldenEntryKeys() throws {
        let (record, entry) = ([UInt8](0..<16).raw.uuid(at: 0), [UInt8](16..<32).raw.uuid(at: 0))
        let own = SymmetricKey(data: [UInt8](repeating: 0x11, count: 32))
        let root = SymmetricKey(data: [UInt8](repeating: 0x22, count: 32))
        #expect(hexadecimal([UInt8](EntryKeys.root(0, of: record))) == "72f5fb4e8645f8f583113c7078b4ff4c")
        #expect(hexadecimal([UInt8](EntryKeys.root(1, of: record))) == "8bb7e0a7116bfcc49420047f9c124c3e")
        #expect(hexadecimal([UInt8](EntryKeys.slot(of: entry, in: record))) == "70250f067c41fb2fa3ef037795618846")
        let key = EntryKeys.key(of: entry, EntryKeys.pair(own, root))
        let masked = EntryKeys.masked(key, of: entry, own)
        func bytes(_ key: SymmetricKey) -> [UInt8] { unsafe key.withUnsafeBytes { unsafe [UInt8]($0) } }
        #expect(hexadecimal(bytes(key)) == "e2018610acdd724d2cee472832261382d56f5461e74d1d4cdef3b78c58278326")
        #expect(hexadecimal(bytes(masked)) == "6a1642f6bcaa7da4f655bfe0a12591851904edb94dbf69d6cd95d9f44524caf0")
        #expect(EntryKeys.masked(masked, of: entry, own) == key)
    }

    @Test("A changed bit of what the caller supplied breaks the seal, and a frame of the wrong length is refused")
    func changedBits() throws {
        let whole = try FrameTests.stamped()
        let position: UInt64 = 0x0102_0304_0506_0708
        for offset in whole.indices {
            for bit in 0..<8 as Range<UInt8> {
                var frame = whole
                frame[offset] ^= 1 << bit
                let opens = (try? FrameSeal.open(frame.raw, key: FrameTests.key, at: position)) != nil
                // The bytes that the writer stamps are covered by the Merkle tree, not by the seal.
                #expect(opens == (8..<48).contains(offset), "byte \(offset)")
            }
        }
        for length in 0..<whole.count { #expect(code(Array(whole[..<length]), position) == .damaged) }
        #expect(code(whole + [0], position) == .damaged)
        #expect(code(whole, position + 1) == .damaged)
        #expect(code(whole, position) == nil)
        #expect(code([3] + whole.dropFirst(), position) == .newerFormat)
    }

    private func code(_ bytes: [UInt8], _ position: UInt64) -> EventLogError.Code? {
        do throws(EventLogError) {
            _ = try Frame(bytes.raw, at: position)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("Random bytes are refused or read as a frame, without a crash")
    func randomBytes() {
        var random = SeededGenerator()
        for _ in 0..<2_000 {
            var bytes = random.bytes(Int.random(in: 0...400, using: &random))
            if !bytes.isEmpty, Bool.random(using: &random) {
                bytes.replaceSubrange(0..<min(4, bytes.count), with: [1, 0, 176, 0].prefix(bytes.count))
            }
            if let frame = try? Frame(bytes.raw, at: 1) { _ = frame.copy }
        }
    }

    @Test("Two seals of the same payload differ in nonce and ciphertext")
    func nonces() throws {
        let one = try FrameTests.stamped([UInt8](repeating: 0, count: 64))
        let two = try FrameTests.stamped([UInt8](repeating: 0, count: 64))
        #expect(one[..<176] == two[..<176])
        #expect(one[176..<188] != two[176..<188])
        #expect(one[188..<252] != two[188..<252])
    }

    @Test("Time-ordered ids sort by their time and contain their version and time")
    func timeOrdered() {
        var random = SeededGenerator()
        var before: [UInt8] = []
        for step in 0..<200 as Range<Int64> {
            let id = UUID.timeOrdered(microseconds: 1_700_000_000_000_000 + step * 1_000, using: &random)
            let bytes = [UInt8](id)
            #expect(before.lexicographicallyPrecedes(bytes))
            #expect(bytes[6] >> 4 == 7 && bytes[8] >> 6 == 2)
            #expect(!id.isNameBased)
            before = bytes
        }
        #expect(hexadecimal(before[..<6]) == String(1_700_000_000_199, radix: 16).leftPadded)
    }
}

extension String {
    fileprivate var leftPadded: String { String(repeating: "0", count: 12 - count) + self }
}
