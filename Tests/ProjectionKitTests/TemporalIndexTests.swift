import Foundation
import LMDB
import ProjectionKit
import TestSupport
import Testing

@Suite("The temporal index")
struct TemporalIndexTests {
    private struct Row: Hashable {
        var prefix: [UInt8]
        var position: UInt64
        var value: UInt8
    }

    private func key(_ prefix: [UInt8]) -> Key {
        var key = Key()
        key.append(prefix)
        return key
    }

    private func group(_ prefix: [UInt8]) -> UInt16 { UInt16(prefix[0]) << 8 | UInt16(prefix[1]) }

    @Test("Results agree with a linear search of a list")
    func naive() throws {
        var random = SeededGenerator()
        let folder = try TemporaryFolder()
        var options = Environment.Options()
        options.mapSize = 1 << 30
        let environment = try Environment(folder: folder.path, options: options)
        // Neighbouring prefixes in key order: a search that goes too far finds a row of another prefix.
        let prefixes: [[UInt8]] = [[0, 0], [0, 1], [0, 255], [1, 0], [255, 254], [255, 255]]
        var rows: [Row] = []
        for prefix in prefixes where !Bool.random(using: &random) || prefix == [0, 1] {
            var position: UInt64 = 0
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                position += UInt64.random(in: 1...300, using: &random)
                rows.append(Row(prefix: prefix, position: position, value: UInt8.random(in: 0...255, using: &random)))
            }
        }
        let table = try environment.write { transaction in
            let table = try transaction.makeTable("rows")
            for row in rows.shuffled(using: &random) {
                try transaction.put(key(row.prefix).appending(row.position), [row.value].raw, in: table)
            }
            return table
        }
        let edges: [UInt64] =
            [0, 1, .max - 1, .max] + rows.flatMap { [$0.position - 1, $0.position, $0.position + 1] }
        for _ in 0..<3_000 {
            let prefix = prefixes.randomElement(using: &random) ?? []
            let position = edges.randomElement(using: &random) ?? 0
            let expected = rows.filter { $0.prefix == prefix && $0.position <= position }
            let newest = try environment.read { transaction in
                try TemporalIndex.newest(key(prefix), asOf: position, in: table, transaction) { at, value in
                    Row(prefix: prefix, position: at, value: value.integer(at: 0))
                }
            }
            #expect(newest == expected.max { $0.position < $1.position })
            let start = edges.randomElement(using: &random) ?? 0
            let limit = Int.random(in: 1...50, using: &random)
            var found: [Row] = []
            try environment.read { transaction in
                try TemporalIndex.forEach(key(prefix), after: start, through: position, in: table, transaction) {
                    at,
                    value in
                    found.append(Row(prefix: prefix, position: at, value: value.integer(at: 0)))
                    return found.count < limit
                }
            }
            #expect(found == Array(expected.filter { $0.position > start }.prefix(limit)))

            // The prefixes are also groups of the prefix of no bytes.
            let groups = prefixes.filter { _ in Bool.random(using: &random) }
            var grouped: [[UInt8]: [Row]] = [:]
            try environment.read { transaction in
                try TemporalIndex.forEach(Key(), groups: groups.map(group), after: start, in: table, transaction) {
                    group,
                    at,
                    value in
                    let prefix = [UInt8(group >> 8), UInt8(group & 255)]
                    grouped[prefix, default: []].append(Row(prefix: prefix, position: at, value: value.integer(at: 0)))
                    return grouped[prefix, default: []].count < limit
                }
            }
            for prefix in prefixes {
                let expected = rows.filter { groups.contains(prefix) && $0.prefix == prefix && $0.position > start }
                #expect(grouped[prefix, default: []] == Array(expected.prefix(limit)))
            }
        }
    }
}
