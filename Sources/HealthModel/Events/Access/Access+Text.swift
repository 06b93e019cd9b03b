package import FoundationEssentials

extension Access {
    /// The access in words, such as `read doctors, 3 entries, as of position 12, by the grant at position 7 (a
    /// visit)`.
    package var text: String {
        var parts = [([action.rawValue] + sections.map(\.word)).joined(separator: " ")]
        if entryCount > 0 { parts.append(entryCount == 1 ? "1 entry" : "\(entryCount) entries") }
        if let asOf { parts.append("as of position \(asOf)") }
        if let happenedBy { parts.append("happened by \(happenedBy)") }
        if let grantedBy { parts.append(grantedBy.text) }
        return parts.joined(separator: ", ") + (purpose.isEmpty ? "" : " (\(purpose))")
    }
}

extension AccessRight {
    package var text: String { text { $0.text } }

    /// The right in words; `name` returns the name of a practice.
    package func text(_ name: (UUID) -> String) -> String {
        switch self {
        case .owner: "as owner"
        case .grant(let position): "by the grant at position \(position)"
        case .emergency(let position): "in the emergency at position \(position)"
        case .role(let kind): "as \(kind.name)"
        case .practice(let id): "as a member of practice \(name(id))"
        }
    }
}

extension AccessSummary {
    /// The summary in words, such as `3 times more from 2026-01-01T08:00:00Z to 2026-01-01T08:00:59Z`.
    package var text: String { "\(count) times more from \(first) to \(last)" }
}
