internal import EmbeddedFiles
internal import FoundationEssentials
package import HealthModel

/// A printed record: the data that its reader may see at a moment, the omissions, and the signed checkpoint of the log.
///
/// It is written in parts, because a record may have more entries than fit in memory: ``Opening``, ``Rows`` of each
/// kind in the order of ``kinds``, and ``Closing``.
package struct PrintedRecord: Sendable {
    private let state: RecordState
    private let extent: Extent
    private let stamp: Stamp
    private let signature: Signature?
    private let reader: Reader
    // Collected while rows are written, for the list of omissions.
    private var (corrected, hasUnknownFields) = (0, false)

    /// The size and the root hash of the log's signed checkpoint.
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
        /// The kinds that were asked for; nil for all.
        package var chosen: Set<Kind>?
        package var counts: [Kind: Int]
        package var showsProfile: Bool
        package var isOwner: Bool
        package var period: Period

        package init(
            kinds: Set<Kind>,
            chosen: Set<Kind>? = nil,
            counts: [Kind: Int],
            showsProfile: Bool,
            isOwner: Bool,
            period: Period
        ) {
            (self.kinds, self.chosen, self.counts, self.showsProfile, self.isOwner) = (
                kinds, chosen, counts, showsProfile, isOwner
            )
            self.period = period
        }
    }

    /// Prints a record; `state` contains no entries.
    package init(_ state: RecordState, _ extent: Extent, asOf stamp: Stamp, _ signature: Signature?, _ reader: Reader) {
        (self.state, self.extent, self.stamp) = (state, extent, stamp)
        (self.signature, self.reader) = (signature, reader)
        hasUnknownFields = !state.profile.extra.isEmpty
    }

    /// The kinds that have entries, in the order of printing.
    package var kinds: [Kind] { RecordPage.order.filter { extent.kinds.contains($0) && extent.counts[$0] != nil } }

    /// The sort key of an entry: when it happened, latest first; entries without a date come last.
    package static func order(_ entry: EntryState) -> Int64 { entry.sortKey }

    /// The first part: whose record it is, the moment that is shown, and the profile.
    package struct Opening: WebPage {
        package static let template = Template("print-opening")

        package let style = String(decoding: embeddedFile("print.css"), as: UTF8.self)
        package let name: String
        package let facts: String
        package let asOf: String
        package let right: String?
        package let profile: RecordPage.Profile?
    }

    package func opening(printed now: Instant, today: Day) -> Opening {
        let words = reader.words
        let known = words["printAsOf", reader.exactMoment(stamp.recordedAt), reader.number(stamp.position)]
        let happened = [
            extent.period.first.map { " " + words["happenedFromDay", reader.day($0)] },
            extent.period.last.map { " " + words["happenedByDay", reader.day($0)] },
        ]
        .compactMap(\.self).joined()
        // Printed at the foot of each sheet, so that a sheet that is separated from the others remains identifiable.
        let signed =
            signature.map { " " + words["printSigned", reader.number($0.size), String($0.root.prefix(16))] } ?? ""
        let fields = state.profile.shown(reader)
        return Opening(
            name: reader.name(state.displayName),
            facts: ([words[state.profile.subject == .animal ? "animal" : "person"]]
                + RecordHead.facts(state, today, reader))
                .joined(separator: " · "),
            asOf: "\(known)\(happened) \(words["printedOn", reader.moment(now)])\(signed)",
            right: extent.isOwner ? nil : words["printPart"],
            profile: fields.isEmpty ? nil : RecordPage.Profile(fields: fields)
        )
    }

    /// Some entries of a kind.
    ///
    /// The first rows of a kind include the head of the table, the last rows its end.
    package struct Rows: WebPage {
        package static let template = Template("print-rows")

        package let label: String?
        package let entries: [EntryLine]
        package let isLast: Bool
    }

    package mutating func rows(
        _ entries: [EntryState],
        of kind: Kind,
        isFirst: Bool,
        isLast: Bool,
        _ names: Names
    ) -> Rows {
        corrected += entries.count { $0.corrected != nil }
        hasUnknownFields = hasUnknownFields || entries.contains { !$0.content.extra.isEmpty }
        return Rows(
            label: isFirst ? reader.words.label(kind.plural) : nil,
            entries: entries.map { EntryLine($0, reader, names) },
            isLast: isLast
        )
    }

    /// The last part: the omissions, and the checkpoint to check the record against.
    package struct Closing: WebPage {
        package static let template = Template("print-closing")

        package let leftOut: [String]
        package let proof: String?
    }

    package var closing: Closing {
        Closing(
            leftOut: leftOut,
            proof: signature.map { reader.words["printProof", $0.origin, reader.number($0.size), $0.root] }
        )
    }

    /// Data that is left out of the print, and that a reader might otherwise take as missing from the record.
    private var leftOut: [String] {
        let words = reader.words
        var lines: [String] = []
        func list(_ kinds: [Kind]) -> String { kinds.map { words.label($0.plural) }.joined(separator: ", ") }
        let asked = Kind.all.filter { extent.chosen?.contains($0) ?? true }
        let hidden = asked.filter { !extent.kinds.contains($0) }
        if !hidden.isEmpty { lines.append(words["leftOutKinds", list(hidden)]) }
        if asked.count < Kind.all.count { lines.append(words["leftOutNotChosen", list(asked)]) }
        if !extent.showsProfile { lines.append(words["leftOutProfile"]) }
        let files = extent.counts[Document.kind, default: 0]
        if files > 0 { lines.append(words.count(files, "leftOutFiles", reader.number(files))) }
        if corrected > 0 { lines.append(words.count(corrected, "leftOutVersions", reader.number(corrected))) }
        lines.append(words["leftOutRetracted"])
        if let day = extent.period.first { lines.append(words["leftOutEarlier", reader.day(day)]) }
        if let day = extent.period.last { lines.append(words["leftOutLater", reader.day(day)]) }
        if hasUnknownFields { lines.append(words["leftOutExtra"]) }
        return lines
    }
}
