import Crypto
import EventLog
import Foundation
import LMDB
import TestSupport
import Testing

@testable import EventLog

@Suite("The Merkle tree")
struct MerkleTests {
    /// The leaves of Certificate Transparency's own tests.
    static let classicLeaves = [
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    ]
    .map(bytes(hexadecimal:))

    static let classicRoots = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]

    @Test("The roots of the Certificate Transparency test leaves match the published ones", arguments: 0...8)
    func classic(size: Int) {
        var frontier = Frontier()
        for leaf in MerkleTests.classicLeaves.prefix(size) { _ = frontier.append(.leaf(leaf)) }
        #expect(frontier.root.bytes == bytes(hexadecimal: MerkleTests.classicRoots[size]))
        #expect(MerkleTests.root(MerkleTests.classicLeaves.prefix(size)) == frontier.root.bytes)
    }

    @Test("The root matches RFC 6962's recursion, and a frontier rebuilt from its rows is the same")
    func recursion() {
        var random = SeededGenerator()
        let sizes = Array(0...70) + (0..<6).map { _ in Int.random(in: 71...600, using: &random) }
        var leaves: [[UInt8]] = []
        var rows: [[MerkleHash]] = []
        var frontier = Frontier()
        for size in 0...(sizes.max() ?? 0) {
            if sizes.contains(size) {
                #expect(frontier.root.bytes == MerkleTests.root(leaves[...]))
                let peaks = Frontier.peaks(ofSize: UInt64(size)).map { rows[Int($0.position) - 1][$0.level] }
                #expect(Frontier(size: UInt64(size), peaks: peaks) == frontier)
            }
            leaves.append(random.bytes(Int.random(in: 0..<40, using: &random)))
            rows.append(frontier.append(.leaf(leaves[size])))
        }
    }

    @Test("The stored rows contain every node of the tree, and verification computes the same root")
    func storedNodes() async throws {
        let journal = try TestJournal()
        for _ in 0..<37 { try await journal.log.append([TestJournal.event(), TestJournal.event()]) }
        let frames = try journal.log.events(after: 0).map(\.bytes)
        #expect(frames.count == 74)
        #expect(try journal.log.verify().root.bytes == MerkleTests.root(frames[...]))
        let environment = journal.log.environment
        let tables = journal.log.tables
        for end in 1...74 {
            for level in 0...(end.trailingZeroBitCount) {
                let hash = try environment.read { transaction in
                    guard let row = try transaction.get(Key(UInt64(end)), in: tables.tree) else {
                        return MerkleHash.empty
                    }
                    return try TreeRow.hash(level: level, in: row, at: UInt64(end))
                }
                #expect(hash.bytes == MerkleTests.root(frames[(end - 1 << level)..<end]))
            }
        }
    }

    /// Computes MTH exactly as RFC 6962, section 2.1, defines it.
    static func root(_ leaves: ArraySlice<[UInt8]>) -> [UInt8] {
        switch leaves.count {
        case 0: return Array(SHA256.hash(data: [] as [UInt8]))
        case 1: return Array(SHA256.hash(data: [0] + leaves[leaves.startIndex]))
        default:
            var half = 1
            while half * 2 < leaves.count { half *= 2 }
            let middle = leaves.startIndex + half
            return Array(SHA256.hash(data: [1] + root(leaves[..<middle]) + root(leaves[middle...])))
        }
    }
}

func bytes(hexadecimal text: String) -> [UInt8] {
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2)
        .map { index in
            UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16) ?? 0
        }
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}
