internal import FoundationEssentials
package import HealthModel

/// A record on paper: all that somebody may see of it at a moment, what is left out, and what the log was signed for.
package struct PrintedRecord: WebPage {
    package static let template = "print"

    package let style = String(decoding: PackageResources.print_css, as: UTF8.self)
    package let name: String
    package let facts: String
    package let asOf: String
    package let right: String?
    package let profile: RecordPage.Profile?
    package let sections: [Section]
    package let leftOut: [String]
    package let proof: String?

    package struct Section: Sendable {
        package let label: String
        package let entries: [EntryLine]
    }

    /// Up to where the log is signed for, and by which root.
    package struct Signature: Sendable {
        package var size: UInt64
        package var root: String
        package var origin: String

        package init(size: UInt64, root: String, origin: String) {
            (self.size, self.root, self.origin) = (size, root, origin)
        }
    }

    /// How much of the record is shown.
    package struct Extent: Sendable {
        package var kinds: Set<Kind>
        package var showsProfile: Bool
        package var isOwner: Bool
        package var happenedBy: Day?

        package init(kinds: Set<Kind>, showsProfile: Bool, isOwner: Bool, happenedBy: Day?) {
            (self.kinds, self.showsProfile, self.isOwner) = (kinds, showsProfile, isOwner)
            self.happenedBy = happenedBy
        }
    }

    package init(
        _ state: RecordState,
        _ extent: Extent,
        asOf stamp: Stamp,
        printed now: Instant,
        today: Day,
        _ signature: Signature?,
        _ names: Names,
        _ reader: Reader
    ) {
        let words = reader.words
        name = state.displayName
        facts =
            ([words[state.profile.subject == .animal ? "animal" : "person"]] + RecordHead.facts(state, today, reader))
            .joined(separator: " · ")
        let known = words["printAsOf", reader.exactMoment(stamp.recordedAt), reader.number(stamp.position)]
        let happened = extent.happenedBy.map { " " + words["happenedByDay", reader.day($0)] } ?? ""
        // Stands at the foot of each sheet, so that one that was lost from the others still says what it is.
        let signed =
            signature.map { " " + words["printSigned", reader.number($0.size), String($0.root.prefix(16))] } ?? ""
        asOf = "\(known)\(happened) \(words["printedOn", reader.moment(now)])\(signed)"
        right = extent.isOwner ? nil : words["printPart"]
        let fields = state.profile.shown(reader)
        profile = fields.isEmpty ? nil : RecordPage.Profile(fields: fields)
        let active = state.entries.filter { !$0.isRetracted }
        sections = RecordPage.order.filter(extent.kinds.contains)
            .compactMap { kind in
                let entries = active.filter { $0.kind == kind }.latestFirst
                if entries.isEmpty { return nil }
                return Section(
                    label: words["kind.\(kind.name)"],
                    entries: entries.map { EntryLine($0, reader, names) }
                )
            }
        leftOut = PrintedRecord.leftOut(state, extent, active, reader)
        proof = signature.map { words["printProof", $0.origin, reader.number($0.size), $0.root] }
    }

    /// What a reader might otherwise take for not being there at all.
    private static func leftOut(
        _ state: RecordState,
        _ extent: Extent,
        _ active: [EntryState],
        _ reader: Reader
    ) -> [String] {
        let words = reader.words
        var told: [String] = []
        let hidden = Kind.all.filter { !extent.kinds.contains($0) }
        if !hidden.isEmpty {
            told.append(words["leftOutKinds", hidden.map { words["kind.\($0.name)"] }.joined(separator: ", ")])
        }
        if !extent.showsProfile { told.append(words["leftOutProfile"]) }
        let files = active.filter { $0.kind == Document.kind }.count
        if files > 0 { told.append(words.count(files, "leftOutFiles", reader.number(files))) }
        let corrected = active.filter { $0.corrected != nil }.count
        if corrected > 0 { told.append(words.count(corrected, "leftOutVersions", reader.number(corrected))) }
        told.append(words["leftOutRetracted"])
        if let day = extent.happenedBy { told.append(words["leftOutLater", reader.day(day)]) }
        if active.contains(where: { !$0.content.extra.isEmpty }) || !state.profile.extra.isEmpty {
            told.append(words["leftOutExtra"])
        }
        return told
    }
}
