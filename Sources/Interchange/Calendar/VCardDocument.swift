package import FoundationEssentials
package import HealthModel

/// Reads an address book (vCard 2.1, and 3.0 and 4.0: RFC 2426 and RFC 6350): each card becomes a doctor, or a contact for
/// emergencies.
///
/// The text of a card is kept with its entry. What the fields do not have, such as a second phone number, is in the comment.
package enum VCardDocument {
    /// The largest file, in bytes.
    package static let maximumBytes = 16 << 20
    /// The maximum number of cards.
    package static let maximumCards = 10_000

    private static let cardName = "$vcard"

    /// Whether a file begins as an address book does.
    package static func isAddressBook(_ bytes: [UInt8]) -> Bool {
        let start = String(decoding: bytes.prefix(64), as: UTF8.self).uppercased()
        return start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("BEGIN:VCARD")
    }

    /// Reads all cards as entries of `kind`; those that this journal wrote for an entry in `known` change that entry.
    ///
    /// `isOurs` is whether an entry is, or was, one of the record: the card of an erased one does not bring it back.
    ///
    /// Throws one error that lists all faults by the numbers of their cards, without the contents.
    package static func read(
        _ bytes: [UInt8],
        as kind: Kind,
        known: [UUID: EntryState],
        isOurs: (UUID) -> Bool = { _ in false },
        namespace: UUID,
        now: Instant
    ) throws(ModelError) -> [ImportedEntry] {
        guard bytes.count <= maximumBytes else {
            throw ModelError(.invalid, "is larger than \(maximumBytes >> 20) MiB: split the file")
        }
        var bytes = bytes
        if ![.utf8, .windows1252].contains(CSVEncoding(guessing: bytes)) {
            bytes = Array(try CSVEncoding(guessing: bytes).decode(bytes).utf8)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let cards = try cards(in: bytes)
        guard !cards.isEmpty else {
            throw ModelError(.invalid, "contains no card of an address book, which begins with the line BEGIN:VCARD")
        }
        var (faults, entries) = (DocumentFaults(), [ImportedEntry]())
        var counts: [String: Int] = [:]
        for (index, card) in cards.enumerated() {
            let path = "card \(index + 1)"
            do throws(ModelError) {
                let own = card.ownEntry.flatMap { known[$0] }.flatMap { VCard.kinds.contains($0.kind) ? $0 : nil }
                let identity = try card.identity
                // Two cards without an id may be the same.
                let count = counts[identity, default: 0]
                counts[identity] = count + 1
                // One person may be a doctor and an emergency contact.
                let source = kind == Doctor.kind ? "vcard" : "vcard as \(kind.name)"
                let id = UUID(nameBased: namespace, "\(source)\n\(identity)" + (count == 0 ? "" : "\n\(count)"))
                let former = own == nil ? card.ownEntry.flatMap { isOurs($0) ? $0 : nil } : nil
                var entry = ImportedEntry(
                    id: own?.id ?? former ?? id,
                    content: try card.content(as: own?.kind ?? kind, changing: own?.content),
                    path: path
                )
                if let own {
                    entry.seen =
                        card.position ?? (card.isUnchanged(since: own) ? own.latest.position : own.added.position)
                } else {
                    entry.content.extra = [Extra(name: cardName, json: JSONWriter.text(.string(card.text)))]
                }
                try entry.content.validate(now: now)
                entries.append(entry)
            } catch {
                let field = error.field.map { "\(path).\($0)" } ?? path
                faults.note(ModelError(error.code, field: field, error.text))
            }
        }
        try faults.requireNone()
        return entries
    }

    /// The document for the application.
    package static func record(_ id: UUID, _ entries: [ImportedEntry]) -> ImportedRecord {
        var record = ImportedRecord(
            id: id,
            profile: RecordProfile(subject: .human),
            entries: entries,
            shape: .vcard,
            unrepresented: []
        )
        record.hasProfile = false
        return record
    }

    // MARK: - Cards

    private static func cards(in bytes: [UInt8]) throws(ModelError) -> [Card] {
        var (cards, lines, depth, length) = ([Card](), [String](), 0, 0)
        for line in try unfolded(bytes) {
            let mark = line.utf8.count < 64 ? line.uppercased().filter { $0 != " " } : ""
            if mark == "BEGIN:VCARD" {
                depth += 1
                if depth == 1 { continue }
            }
            if mark == "END:VCARD", depth > 0 {
                depth -= 1
                if depth == 0 {
                    cards.append(Card(lines))
                    guard cards.count <= maximumCards else {
                        throw ModelError(.invalid, "has more than \(maximumCards) cards: split the file")
                    }
                    (lines, length) = ([], 0)
                    continue
                }
            }
            // The card of a person's agent is within that of the person. Files would make the kept text long, and what the
            // address book says of itself would change it.
            if depth > 0, !leftOut.contains(VCardProperty.name(of: line)) {
                lines.append(line)
                length += line.utf8.count
            }
            guard length <= maximumCardBytes else {
                throw ModelError(
                    .invalid,
                    field: "card \(cards.count + 1)",
                    "is longer than \(maximumCardBytes >> 10) KiB, without its pictures"
                )
            }
        }
        guard depth == 0 else { throw ModelError(.invalid, field: "card \(cards.count + 1)", "has no end") }
        return cards
    }

    private static let leftOut: Set<String> = ["PHOTO", "LOGO", "SOUND", "KEY", "PRODID"]
    /// The longest card without its files, in bytes.
    private static let maximumCardBytes = 256 << 10

    /// The lines of a file, each joined with those that continue it.
    private static func unfolded(_ bytes: [UInt8]) throws(ModelError) -> [String] {
        var lines: [[UInt8]] = []
        // Whether the last line is in quoted-printable, in which a line that ends with `=` goes on.
        var isQuotedPrintable = false
        for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = part.last == 0x0D ? part.dropLast() : part
            if isQuotedPrintable, let last = lines.last, last.last == UInt8(ascii: "=") {
                lines[lines.count - 1].removeLast()
                lines[lines.count - 1] += line
            } else if let first = line.first, first == 0x20 || first == 0x09, !lines.isEmpty {
                lines[lines.count - 1] += line.dropFirst()
            } else {
                lines.append(Array(line))
                let head = line.prefix { $0 != UInt8(ascii: ":") }
                isQuotedPrintable = String(decoding: head.prefix(1_000), as: UTF8.self).uppercased()
                    .contains("QUOTED-PRINTABLE")
            }
        }
        // In the encoding of the whole file: a part of it may look like another one.
        let encoding = CSVEncoding(guessing: bytes)
        var texts: [String] = []
        for line in lines where !line.isEmpty { texts.append(try encoding.decode(line)) }
        return texts
    }

    private struct Card {
        private let lines: [String]
        private let properties: [VCardProperty]

        init(_ lines: [String]) {
            self.lines = lines
            var (own, depth) = ([VCardProperty](), 0)
            for property in lines.compactMap({ VCardProperty($0) }) {
                if property.name == "BEGIN" { depth += 1 }
                if depth == 0 { own.append(property) }
                if property.name == "END" { depth -= 1 }
            }
            properties = own
        }

        /// The card as it is kept: without its files, and without when the address book changed it.
        var text: String {
            let kept = lines.filter { VCardProperty.name(of: $0) != "REV" }
            return (["BEGIN:VCARD"] + kept + ["END:VCARD"]).joined(separator: "\n")
        }

        private func all(_ name: String) -> [VCardProperty] {
            let found = properties.filter { $0.name == name && !$0.value.isEmpty }
            return found.filter(\.isPreferred) + found.filter { !$0.isPreferred }
        }

        private func text(_ name: String) -> String? {
            all(name).lazy.map { $0.text.trimmed }.first { !$0.isEmpty }
        }

        var ownEntry: UUID? { text("UID").flatMap { UUID(uuidString: String($0.dropFirst("urn:uuid:".count))) } }

        /// The position of the last change of the entry from which a journal wrote the card.
        var position: UInt64? { text(VCard.position).flatMap { UInt64($0) } }

        /// Whether the card was written when the entry was as it is now.
        ///
        /// An address book sets the time to that of its own change, so that only an equal time says so, or that the entry
        /// never changed.
        func isUnchanged(since entry: EntryState) -> Bool {
            entry.latest == entry.added || text("REV") == entry.latest.recordedAt.compact
        }

        /// What tells the card apart from others: its id or, without one, its name.
        var identity: String {
            get throws(ModelError) { if let uid = text("UID") { "uid \(uid)" } else { "name \(try name)" } }
        }

        private var name: String {
            get throws(ModelError) {
                if let name = text("FN") { return name }
                if let parts = all("N").first?.components.map(\.trimmed) {
                    // Family, given and additional names, prefixes, suffixes.
                    let order = [3, 1, 2, 0, 4].compactMap { parts.count > $0 && !parts[$0].isEmpty ? parts[$0] : nil }
                    if !order.isEmpty { return order.joined(separator: " ") }
                }
                guard let organization else {
                    throw ModelError(.invalid, field: "FN", "is missing: a card needs a name")
                }
                return organization
            }
        }

        private var organization: String? {
            let parts = all("ORG").first?.components.map(\.trimmed).filter { !$0.isEmpty } ?? []
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        }

        /// Phone numbers, without the scheme of a URI, and without fax machines if there are others.
        private var phones: [(text: String, types: [String])] {
            let found = all("TEL")
                .map { property in
                    let text = property.text.trimmed
                    return (text.hasPrefix("tel:") ? String(text.dropFirst(4)) : text, property.types)
                }
            func isFax(_ phone: (text: String, types: [String])) -> Bool { phone.types.contains("fax") }
            return found.filter { !isFax($0) } + found.filter(isFax)
        }

        /// The entry of a kind; what the card does not have of `former` stays as it is.
        func content(as kind: Kind, changing former: EntryContent?) throws(ModelError) -> EntryContent {
            var content = former ?? EntryContent(kind: kind)
            func set(_ field: Field, _ value: String?) {
                if let value, !value.isEmpty { content.body[field] = .text(value) }
            }
            let email = all("EMAIL").map { $0.text.trimmed }
            if kind == Doctor.kind {
                set(Doctor.name, try name)
                set(Doctor.specialty, text("TITLE"))
                set(Doctor.type, text("ROLE"))
                set(Doctor.contactName, text("X-CONTACT"))
                set(Doctor.phone, phones.first?.text)
                set(Doctor.email, email.first)
                if let address { content.body[Doctor.address] = .group(address) }
            } else {
                set(EmergencyContact.name, try name)
                set(EmergencyContact.relationship, text("ROLE"))
                set(EmergencyContact.phone, phones.first?.text)
                set(EmergencyContact.email, email.first)
            }
            if former == nil {
                let name = try name
                let more = phones.dropFirst()
                    .map { ($0.types.isEmpty ? "" : $0.types.joined(separator: ", ") + ": ") + $0.text }
                var lines = [text("NOTE"), organization == name ? nil : organization].compactMap(\.self)
                lines += more
                lines += email.dropFirst()
                content.comment = lines.joined(separator: "\n")
            } else if let note = text("NOTE") {
                content.comment = note
            }
            return content
        }

        private var address: FieldValues? {
            guard let property = all("ADR").first else { return nil }
            let parts = property.components.map(\.trimmed)
            func part(_ index: Int) -> String { parts.count > index ? parts[index] : "" }
            var values = FieldValues()
            // The post office box and the extended address are part of the street.
            let street = [part(2), part(0), part(1)].filter { !$0.isEmpty }.joined(separator: ", ")
            let found = [
                (Doctor.street, street), (Doctor.city, part(3)), (Doctor.state, part(4)), (Doctor.zipCode, part(5)),
                (Doctor.country, part(6)), (Doctor.addressText, property.label ?? text("LABEL") ?? ""),
            ]
            for (field, value) in found where !value.isEmpty {
                values[field] = .text(value.replacing("\n", with: ", "))
            }
            return values.isEmpty ? nil : values
        }
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(
            start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)]
        )
    }
}
