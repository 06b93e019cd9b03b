import Foundation
import FuzzTargets
import Testing

/// Runs the parsers on all cases that the fuzzers found or started from.
@Suite("Untrusted bytes")
struct FuzzTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")

    @Test("Untrusted bytes are parsed or refused, without a crash", arguments: FuzzTarget.all.map(\.name))
    func cases(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let folder = Self.folder.appending(path: name)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files.sorted(by: { $0.path < $1.path }) {
            let bytes = try [UInt8](Data(contentsOf: file))
            target.run(bytes)
            // Each prefix of a small case, and each of its bits flipped.
            guard bytes.count <= 400 else { continue }
            for end in 0..<bytes.count {
                target.run(Array(bytes[..<end]))
                for bit in 0..<8 {
                    var turned = bytes
                    turned[end] ^= 1 << UInt8(bit)
                    target.run(turned)
                }
            }
        }
    }

    @Test("Every folder of cases has a fuzz target, and every target a folder")
    func folders() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(FuzzTarget.all.map(\.name)))
    }
}
