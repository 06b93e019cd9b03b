import Crypto
import Foundation
import LMDB
import Platform
import Testing

@testable import Cipher

@Suite("Seals and hashes")
struct CipherTests {
    private static let lengths = [0, 1, 15, 16, 17, 96, 4_096, 70_001]

    /// Returns a frame: a 40-byte header and space for a sealed payload.
    private func frame(for payload: [UInt8]) -> [UInt8] {
        (0..<40).map { UInt8($0) }
            + [UInt8](repeating: 0, count: Cipher.nonceLength + payload.count + Cipher.tagLength)
    }

    private func sealed(_ payload: [UInt8], _ key: SymmetricKey) throws -> [UInt8] {
        var frame = frame(for: payload)
        try Cipher.seal(payload, into: &frame, at: 40, authenticating: 0..<8, 16..<40, key: key)
        return frame
    }

    @Test("Nonces are generated in advance only while many payloads are sealed, and none is left over")
    func keptNonces() throws {
        let key = SymmetricKey(size: .bits256)
        var seen: Set<[UInt8]> = []
        func seal() throws { seen.insert(Array(try sealed([1], key)[40..<52])) }
        for _ in 1...3 {
            try seal()
            #expect(ThreadContext.current.random.kept == 0)
        }
        _ = Cipher.randomWords()
        #expect(ThreadContext.current.random.kept == 0)
        try Cipher.sealingMany { () throws in
            for _ in 1...300 { try seal() }
            #expect(ThreadContext.current.random.kept > 0)
        }
        #expect(ThreadContext.current.random.kept == 0)
        #expect(throws: CancellationError.self) {
            try Cipher.sealingMany { () throws in
                try seal()
                throw CancellationError()
            }
        }
        #expect(ThreadContext.current.random.kept == 0)
        #expect(seen.count == 304)
    }

    private func opened(_ frame: [UInt8], _ key: SymmetricKey) throws -> [UInt8] {
        try Cipher.open(
            frame.raw.extracting(40..<frame.count),
            authenticating: frame.raw.extracting(0..<8),
            frame.raw.extracting(16..<40),
            key: key
        )
    }

    private func payload(_ length: Int) -> [UInt8] { (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    @Test("A payload sealed here opens here and with swift-crypto, and the other way round", arguments: lengths)
    func interchange(_ length: Int) throws {
        let (key, payload) = (SymmetricKey(size: .bits256), payload(length))
        let frame = try sealed(payload, key)
        let authenticated = frame[0..<8] + frame[16..<40]
        #expect(try opened(frame, key) == payload)
        let box = try AES.GCM.SealedBox(combined: frame[40...])
        #expect(try [UInt8](AES.GCM.open(box, using: key, authenticating: authenticated)) == payload)

        let theirs = try AES.GCM.seal(payload, using: key, authenticating: authenticated)
        #expect(try opened(Array(frame[..<40]) + theirs.combined!, key) == payload)
    }

    @Test("A seal opens under no other key, and a change of any byte that it covers is detected")
    func tampering() throws {
        let (key, other) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
        let frame = try sealed(payload(20), key)
        #expect(throws: Cipher.DoesNotOpen.self) { try opened(frame, other) }
        // The key is set up again after a failure and after the use of another key.
        #expect(try opened(frame, key) == payload(20))
        for index in frame.indices {
            var changed = frame
            changed[index] ^= 0x10
            let isCovered = !(8..<16).contains(index)
            #expect(((try? opened(changed, key)) == nil) == isCovered, "byte \(index)")
            let opens = Cipher.opens(
                changed.raw.extracting(40..<changed.count),
                authenticating: changed.raw.extracting(0..<8),
                changed.raw.extracting(16..<40),
                key: key
            )
            #expect(opens != isCovered, "byte \(index)")
        }
        for length in 0..<(Cipher.nonceLength + Cipher.tagLength) {
            #expect(throws: Cipher.DoesNotOpen.self) {
                try Cipher.open([UInt8](repeating: 0, count: length).raw, authenticating: frame.raw, key: key)
            }
        }
    }

    @Test("No nonce is repeated, on one thread or on many")
    func nonces() throws {
        let key = SymmetricKey(size: .bits256)
        let found = Guarded<[[UInt8]]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let mine = (0..<500).compactMap { _ in try? Array(sealed([1], key)[40..<52]) }
            found.withLock { $0 += mine }
        }
        let nonces = found.withLock { $0 }
        #expect(nonces.count == 4_000)
        #expect(Set(nonces).count == nonces.count)
    }

    @Test("Threads that seal and open under different keys do not interfere with each other")
    func threads() throws {
        let wrong = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let keys = (0..<3).map { _ in SymmetricKey(size: .bits256) }
            for round in 0..<300 {
                let (key, payload) = (keys[round % 3], payload(thread * 7 + round))
                if (try? opened(sealed(payload, key), key)) != payload { wrong.withLock { $0 += 1 } }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
    }

    @Test("Hashes equal those of swift-crypto's SHA-256", arguments: lengths)
    func hashes(_ length: Int) {
        let bytes = payload(length)
        #expect(words(SHA256.hash(data: [7] + bytes)) == Cipher.hash(7, bytes.raw))
        let (left, right) = (Cipher.hash(0, bytes.raw), Cipher.hash(1, bytes.raw))
        #expect(words(SHA256.hash(data: [1] + self.bytes(left) + self.bytes(right))) == Cipher.hash(1, left, right))
    }

    private func words(_ digest: SHA256.Digest) -> SHA256Words {
        let bytes = Array(digest)
        return SHA256Words((0..<4).map { bytes.raw.integer(at: 8 * $0) })
    }

    private func bytes(_ words: SHA256Words) -> [UInt8] {
        (0..<4).flatMap { index in (0..<8).map { UInt8(truncatingIfNeeded: words[index] >> UInt64(8 * $0)) } }
    }
}
