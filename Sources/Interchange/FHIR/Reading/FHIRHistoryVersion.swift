import FoundationEssentials
import HealthModel

/// What tells a version in a Bundle of the type `history` apart from the others.
struct FHIRHistoryVersion {
    /// The resource that it is a version of; nil if the entry does not say so.
    private let resource: String?
    /// When it was made; nil if the entry does not say so.
    private let time: Instant?
    /// The entry of a journal that wrote the history.
    let ownEntry: UUID?
    /// Whether it is what a journal that wrote the history knows of its readers and changes.
    let isTrail: Bool

    init(_ entry: JSONValue) {
        func text(_ value: JSONValue?) -> String? { if case .string(let text)? = value { text } else { nil } }
        let (content, url) = (entry["resource"], text(entry["request"]?["url"]))
        let id = text(content?["id"])
        var name = id.flatMap { id in text(content?["resourceType"]).map { "\($0)/\(id)" } }
        // The address of a creation is only the type.
        if name == nil, let url, url.contains("/") { name = url }
        let address = text(entry["fullUrl"])
        let found = address ?? name
        resource = found.map { $0.split(separator: FHIRSource.versionMark).first.map(String.init) ?? $0 }
        let said = text(content?["meta"]?["lastUpdated"]) ?? text(entry["response"]?["lastModified"])
        time = said.flatMap { try? Instant(parsing: $0) }
        ownEntry = address.flatMap { UUID(uuidString: String($0.dropFirst("urn:uuid:".count))) }
        isTrail = FHIRTrail.types[text(content?["resourceType"]) ?? ""] != nil && id.flatMap(FHIRTrail.place) != nil
    }

    /// Returns the indices of the versions for which there is a newer one: by their times or, if one has none, by their
    /// order, in which the newest is the first.
    static func older(_ versions: [FHIRHistoryVersion]) -> [Int] {
        var newest: [String: Int] = [:]
        var older: [Int] = []
        for (index, version) in versions.enumerated() {
            guard let resource = version.resource else { continue }
            guard let known = newest[resource] else {
                newest[resource] = index
                continue
            }
            if let time = version.time, let other = versions[known].time, time > other {
                newest[resource] = index
                older.append(known)
            } else {
                older.append(index)
            }
        }
        return older
    }
}
