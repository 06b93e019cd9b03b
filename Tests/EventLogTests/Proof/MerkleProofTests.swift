import EventLog
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Merkle proofs")
struct MerkleProofTests {
    /// A Merkle tree in memory with the rows that the log would store.
    struct Tree {
        private(set) var leaves: [MerkleHash] = []
        private(set) var roots: [MerkleHash] = [.empty]
        private var rows: [[MerkleHash]] = []

        init(_ frames: [[UInt8]]) {
            var frontier = Frontier()
            for frame in frames {
                leaves.append(.leaf(frame))
                rows.append(frontier.append(.leaf(frame)))
                roots.append(frontier.root)
            }
        }

        init(size: Int) {
            self.init((0..<size).map { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
        }

        func node(_ position: UInt64, _ level: Int) -> MerkleHash { rows[Int(position) - 1][level] }

        func inclusion(_ index: Int, _ size: Int) throws -> [MerkleHash] {
            try MerkleProof.inclusionPath(to: UInt64(index), in: UInt64(size), node)
        }

        func consistency(_ old: Int, _ size: Int) throws -> [MerkleHash] {
            try MerkleProof.consistencyPath(from: UInt64(old), to: UInt64(size), node)
        }

        func check(_ index: Int, _ size: Int, _ path: [MerkleHash], leaf: MerkleHash? = nil, root: MerkleHash? = nil)
            throws
        {
            try MerkleProof.checkInclusion(
                of: leaf ?? leaves[index],
                at: UInt64(index),
                in: UInt64(size),
                root: root ?? roots[size],
                path: path
            )
        }

        func check(
            from old: Int,
            to size: Int,
            _ path: [MerkleHash],
            oldRoot: MerkleHash? = nil,
            root: MerkleHash? = nil
        ) throws {
            try MerkleProof.checkConsistency(
                from: UInt64(old),
                root: oldRoot ?? roots[old],
                to: UInt64(size),
                newRoot: root ?? roots[size],
                path: path
            )
        }
    }

    private func isRefused(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return (error as? ProofError)?.code == .mismatch
        }
    }

    /// Computes PATH exactly as RFC 6962, section 2.1.1, defines it.
    static func path(_ index: Int, _ leaves: ArraySlice<[UInt8]>) -> [[UInt8]] {
        guard leaves.count > 1 else { return [] }
        let (left, right) = halves(leaves)
        return index < left.count
            ? path(index, left) + [MerkleTests.root(right)]
            : path(index - left.count, right) + [MerkleTests.root(left)]
    }

    /// Computes SUBPROOF exactly as RFC 6962, section 2.1.2, defines it.
    static func subproof(_ size: Int, _ leaves: ArraySlice<[UInt8]>, _ isWhole: Bool = true) -> [[UInt8]] {
        if size == leaves.count { return isWhole ? [] : [MerkleTests.root(leaves)] }
        let (left, right) = halves(leaves)
        return size <= left.count
            ? subproof(size, left, isWhole) + [MerkleTests.root(right)]
            : subproof(size - left.count, right, false) + [MerkleTests.root(left)]
    }

    private static func halves(_ leaves: ArraySlice<[UInt8]>) -> (ArraySlice<[UInt8]>, ArraySlice<[UInt8]>) {
        var half = 1
        while half * 2 < leaves.count { half *= 2 }
        return (leaves.prefix(half), leaves.dropFirst(half))
    }

    @Test("Each proof of every size up to 40 matches RFC 6962's recursion and can be verified")
    func recursion() throws {
        let frames = (0..<40).map { [UInt8($0)] }
        let tree = Tree(frames)
        for size in 1...40 {
            for index in 0..<size {
                let path = try tree.inclusion(index, size)
                #expect(path.map(\.bytes) == MerkleProofTests.path(index, frames.prefix(size)))
                try tree.check(index, size, path)
            }
            for old in 1...size {
                let path = try tree.consistency(old, size)
                #expect(path.map(\.bytes) == MerkleProofTests.subproof(old, frames.prefix(size)))
                try tree.check(from: old, to: size, path)
            }
        }
    }

    @Test("The proofs for the Certificate Transparency test leaves match those of another implementation")
    func golden() throws {
        let tree = Tree(MerkleTests.classicLeaves)
        #expect(tree.leaves[4].base64 == "vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=")
        #expect(
            try tree.inclusion(4, 7).map(\.base64) == [
                "QnGia+DYqE8L1UyMMC58s6O10fpngKQLzOKHNHfatlg=", "sIaT7C5yFZcTBkHoIR5+7cy0wmQTlj7ubB4u0W/7Gl8=",
                "037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=",
            ]
        )
        #expect(
            try tree.consistency(3, 7).map(\.base64) == [
                "ApjRIpBtz8EIkstTpzmS/FufST6kybrbJ7eRtBJ6f+c=", "B1Bqhf2d0vEg62lPhgEeW7RmLlxBWmKRcDPUqWJEh+c=",
                "+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU=", "g327FS6bB5AQcX6E6GXaTrwPoZioBtWdMb8VrM7yLQ4=",
            ]
        )
    }

    @Test("Valid proofs of random sizes are accepted, and any change of a proof, index, size or root is refused")
    func random() throws {
        var random = SeededGenerator()
        let tree = Tree(size: 700)
        for _ in 0..<60 {
            let size = Int.random(in: 2...700, using: &random)
            let index = Int.random(in: 0..<size, using: &random)
            let old = Int.random(in: 1..<size, using: &random)
            let (inclusion, consistency) = try (tree.inclusion(index, size), tree.consistency(old, size))
            try tree.check(index, size, inclusion)
            try tree.check(from: old, to: size, consistency)
            for change in try changes(inclusion, &random) {
                #expect(isRefused { try tree.check(index, size, change) }, "\(index) in \(size)")
            }
            for change in try changes(consistency, &random) {
                #expect(isRefused { try tree.check(from: old, to: size, change) }, "\(old) to \(size)")
            }
            let leaf = try changed(tree.leaves[index], &random)
            #expect(isRefused { try tree.check(index, size, inclusion, leaf: leaf) })
            let root = try changed(tree.roots[size], &random)
            #expect(isRefused { try tree.check(index, size, inclusion, root: root) })
            #expect(isRefused { try tree.check(from: old, to: size, consistency, root: root) })
            let oldRoot = try changed(tree.roots[old], &random)
            #expect(isRefused { try tree.check(from: old, to: size, consistency, oldRoot: oldRoot) })
            let elsewhere = (index + Int.random(in: 1..<size, using: &random)) % size
            #expect(isRefused { try tree.check(elsewhere, size, inclusion, leaf: tree.leaves[index]) })
            #expect(isRefused { try tree.check(from: size, to: old, consistency, oldRoot: tree.roots[size]) })
        }
    }

    @Test("Proofs about empty trees, indices outside the tree and impossible sizes are refused")
    func edges() throws {
        let tree = Tree(size: 9)
        #expect(isRefused { try tree.check(0, 0, []) })
        #expect(isRefused { try tree.check(8, 8, tree.inclusion(7, 8), leaf: tree.leaves[7]) })
        #expect(isRefused { try tree.check(from: 0, to: 9, []) })
        #expect(isRefused { try tree.check(from: 0, to: 0, []) })
        #expect(isRefused { try tree.check(from: 4, to: 9, []) })
        #expect(isRefused { try tree.check(from: 9, to: 9, [tree.roots[9]]) })
        #expect(isRefused { try tree.check(from: 9, to: 9, [], oldRoot: tree.roots[8]) })
        try tree.check(from: 9, to: 9, [])
        try tree.check(0, 1, [])
        let long = Array(repeating: MerkleHash.empty, count: MerkleProof.maximumHashes)
        for size in [1, 2, 1 << 63, UInt64.max - 1, UInt64.max] {
            for index in [0, 1, size / 2, size - 1, size, UInt64.max] {
                #expect(
                    isRefused {
                        try MerkleProof.checkInclusion(of: .empty, at: index, in: size, root: .empty, path: long)
                    }
                )
                #expect(
                    isRefused {
                        try MerkleProof.checkConsistency(
                            from: index,
                            root: .empty,
                            to: size,
                            newRoot: tree.roots[3],
                            path: long
                        )
                    }
                )
            }
        }
    }

    private func changes(_ path: [MerkleHash], _ random: inout SeededGenerator) throws -> [[MerkleHash]] {
        var all = [path + [.empty], [.empty] + path]
        guard !path.isEmpty else { return all }
        all += [Array(path.dropLast()), Array(path.dropFirst())]
        for index in path.indices {
            var copy = path
            copy[index] = try changed(path[index], &random)
            all.append(copy)
        }
        if Set(path).count > 1 { all.append(path.reversed()) }
        return all
    }

    /// Returns a hash with one random bit changed.
    private func changed(_ hash: MerkleHash, _ random: inout SeededGenerator) throws -> MerkleHash {
        var bytes = hash.bytes
        bytes[Int.random(in: 0..<32, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        return try #require(MerkleHash(bytes))
    }
}
