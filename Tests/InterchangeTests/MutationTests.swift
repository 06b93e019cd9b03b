import HealthModel
import TestSupport
import Testing

@testable import Interchange

/// Documents with changed, removed and repeated bytes: reading must return or throw, and never crash.
@Suite("Mutated documents")
struct MutationTests {
    private static let pieces = [
        "null", "-1", "1e999", "9223372036854775807", "-9223372036854775808", "\"\"", "[]", "{}", "\\ud800", "NaN",
        "\"uuid\"",
        "253402300800", "\u{0}", "true", "0.0000000000000000000000000001", ",", ":", "\"date\":",
        "\"year\":-2147483648,",
    ]

    @Test("Mutated documents never crash a reader, and those it accepts survive an export and an import")
    func survivesMutations() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let flat = PurusDocument.write(
            Fixtures.state(try Fixtures.read(PurusTexts.models, Fixtures.options(.reference)))
        )
        let native = NativeDocument.write(RandomRecord.state(&generator))
        let texts = [PurusTexts.models, PurusTexts.webServices, JSONWriter.text(flat), JSONWriter.text(native)]
        var answered = 0
        for round in 0..<1_500 {
            let bytes = Self.mutated(Array(texts[round % texts.count].utf8), &generator)
            for epoch in PurusOptions.Epoch.allCases {
                guard let record = try? PurusDocument.read(bytes, options: Fixtures.options(epoch)) else { continue }
                answered += 1
                // A document that was read survives an export and an import unchanged.
                let again = try Fixtures.again(record)
                #expect(again.id == record.id && again.profile.hasSameContent(as: record.profile), "seed \(seed)")
                let contents = Dictionary(uniqueKeysWithValues: again.entries.map { ($0.id, $0.content) })
                for entry in record.entries {
                    let isSame = contents[entry.id].map { $0.hasSameContent(as: entry.content) }
                    #expect(isSame == true, "seed \(seed), round \(round), \(entry.path)")
                }
            }
            _ = try? NativeDocument.read(bytes, now: Fixtures.now)
            _ = try? CloudEvent.read(bytes)
        }
        #expect(answered > 20, "the mutations are too wild to tell anything")
    }

    private static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0...5, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[place], at: place)
            case 3: bytes[place] = UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &generator)
            case 4: bytes[place] = UInt8(ascii: "a") + UInt8.random(in: 0...25, using: &generator)
            default:
                let piece = pieces.randomElement(using: &generator) ?? ""
                let next = bytes[place...].firstIndex { [0x2C, 0x7D, 0x5D].contains($0) } ?? place
                let start = bytes[..<next].lastIndex(of: 0x3A).map { $0 + 1 } ?? place
                bytes.replaceSubrange(min(start, next)..<next, with: Array(piece.utf8))
            }
        }
        return bytes
    }
}
