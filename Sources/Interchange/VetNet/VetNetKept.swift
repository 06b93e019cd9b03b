import Crypto
import FoundationEssentials
import HealthModel

/// What a part of a document of VetNet says and this journal would not write again in the same way.
///
/// It contains each member of the source that differs from what ``VetNetWriter`` writes for the imported part, with both
/// values. The source is written again as long as the writer still writes the same, so that a value that was changed here
/// is never hidden by an older one.
package struct VetNetKept: Hashable, Sendable {
    private struct Difference: Hashable {
        /// What the writer wrote for the imported part; nil for a member that it does not write.
        var rendered: JSONValue?
        /// The value of the source; nil for a member that the source does not have.
        var source: JSONValue?
    }

    /// In the order of the source; members that only the writer writes follow.
    private var differences: [(name: String, values: Difference)] = []
    /// Identifies everything that the writer wrote for the imported part.
    private var digest: String

    /// The times of a part, which the log of this journal does not tell.
    static let times: Set<String> = ["createdAt", "updatedAt"]

    package init(source: [JSONValue.Member], rendered: [JSONValue.Member]) {
        digest = Self.digest(of: rendered)
        var written = Dictionary(rendered.map { ($0.name, $0.value) }) { first, _ in first }
        for member in source {
            let value = written.removeValue(forKey: member.name)
            if value?.withSortedMembers != member.value.withSortedMembers {
                differences.append((member.name, Difference(rendered: value, source: member.value)))
            }
        }
        for member in rendered where written[member.name] != nil {
            differences.append((member.name, Difference(rendered: member.value, source: nil)))
        }
    }

    /// Whether the writer writes all of the source, and nothing else.
    package var isEmpty: Bool { differences.isEmpty }

    /// Returns the members of a part as they are now, with what the source says as far as it was not changed since.
    func restored(_ now: [JSONValue.Member]) -> [JSONValue.Member] {
        let known = Dictionary(differences.map { ($0.name, $0.values) }) { first, _ in first }
        var result: [JSONValue.Member] = []
        for member in now {
            guard let difference = known[member.name] else {
                result.append(member)
                continue
            }
            if let value = Self.merged(member.value, difference.rendered, difference.source) {
                result.append(.init(member.name, value))
            }
        }
        let written = Set(now.map(\.name))
        let isUnchanged = Self.digest(of: now) == digest
        for (name, values) in differences where !written.contains(name) {
            // What the writer wrote and does not write any more was removed here; the time of the last change is another one.
            guard let source = values.source, values.rendered == nil, name != "updatedAt" || isUnchanged else {
                continue
            }
            result.append(.init(name, source))
        }
        return result
    }

    /// Returns a value with what the source says of it; nil for a member that the source does not have.
    private static func merged(_ now: JSONValue, _ rendered: JSONValue?, _ source: JSONValue?) -> JSONValue? {
        guard let rendered else { return now }
        if now.withSortedMembers == rendered.withSortedMembers { return source }
        switch (now, rendered, source) {
        case (.object(let now), .object(let rendered), .object(let source)?):
            return .object(VetNetKept(source: source, rendered: rendered).restored(now))
        case (.array(let now), .array(let rendered), .array(let source)?) where rendered.count == source.count:
            var left = Array(zip(rendered, source))
            return .array(
                now.map { item in
                    let plain = item.withSortedMembers
                    let same =
                        left.firstIndex { $0.0.withSortedMembers == plain }
                        ?? left.firstIndex { $0.0.identity.map { $0 == item.identity } ?? false }
                    guard let same else { return item }
                    let (rendered, source) = left.remove(at: same)
                    return merged(item, rendered, source) ?? item
                }
            )
        default: return now
        }
    }

    private static func digest(of members: [JSONValue.Member]) -> String {
        let plain = JSONValue.object(members.filter { !times.contains($0.name) }).withSortedMembers
        return SHA256.hash(data: Data(JSONWriter.text(plain, .compact).utf8)).prefix(16)
            .map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }

    package static func == (left: VetNetKept, right: VetNetKept) -> Bool { left.json == right.json }
    package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension VetNetKept {
    /// The form in which it is stored.
    package var json: JSONValue {
        [
            "digest": .string(digest),
            "members": .array(
                differences.map { name, values in
                    .present(["name": .string(name), "rendered": values.rendered, "source": values.source])
                }
            ),
        ]
    }

    /// Decodes the stored form; nil if it is none.
    package init?(_ json: JSONValue) {
        guard case .string(let digest)? = json["digest"], case .array(let items)? = json["members"] else { return nil }
        self.digest = digest
        for item in items {
            guard case .string(let name)? = item["name"] else { return nil }
            differences.append((name, Difference(rendered: item["rendered"], source: item["source"])))
        }
    }
}

extension JSONValue {
    /// What an item of a list is told apart by: its id, its name, or its day.
    fileprivate var identity: JSONValue? {
        for name in ["id", "weekday", "day", "from", "specialty", "name"] { if let value = self[name] { return value } }
        return nil
    }
}
