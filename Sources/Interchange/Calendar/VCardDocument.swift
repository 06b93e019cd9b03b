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

    /// What the cards of a file become, and those that become nothing.
    package struct Reading {
        package var entries: [ImportedEntry] = []
        /// The cards that were left out, and the values that stand in the comment because a field cannot have them.
        package var faults: [ImportFault] = []
        /// The cards of groups, which are nobody.
        package var skipped: [String] = []
    }

    /// Reads all cards as entries of `kind`; those that this journal wrote for an entry in `known` change that entry.
    ///
    /// `isOurs` is whether an entry is, or was, one of the record: the card of an erased one does not bring it back.
    ///
    /// Throws one error that lists all faults by the numbers of their cards, without the contents, if no card can be read, or
    /// if the reading is to be strict.
    package static func read(
        _ bytes: [UInt8],
        as kind: Kind,
        known: [UUID: EntryState],
        isOurs: (UUID) -> Bool = { _ in false },
        namespace: UUID,
        now: Instant,
        isStrict: Bool = false
    ) throws(ModelError) -> Reading {
        guard bytes.count <= maximumBytes else {
            throw ModelError(.invalid, "is larger than \(maximumBytes >> 20) MiB: split the file")
        }
        var bytes = bytes
        if ![.utf8, .windows1252].contains(CSVEncoding(guessing: bytes)) {
            bytes = Array(try CSVEncoding(guessing: bytes).decode(bytes).utf8)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let cards = try VCardLines(bytes).cards
        guard !cards.isEmpty else {
            throw ModelError(.invalid, "contains no card of an address book, which begins with the line BEGIN:VCARD")
        }
        var reading = Reading()
        var counts: [String: Int] = [:]
        for (index, lines) in cards.enumerated() {
            let path = "card \(index + 1)"
            do throws(ModelError) {
                let card = try Card(lines)
                if card.isGroup {
                    reading.skipped.append(path)
                    continue
                }
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
                reading.faults += try fitted(&entry.content, now: now)
                    .map { ImportFault(ModelError($0.code, field: "\(path).\($0.field ?? "")", $0.text), isKept: true) }
                reading.entries.append(entry)
            } catch {
                let field = error.field.map { "\(path).\($0)" } ?? path
                reading.faults.append(ImportFault(ModelError(error.code, field: field, error.text), isKept: false))
            }
        }
        if isStrict || reading.entries.isEmpty {
            var faults = DocumentFaults()
            for fault in reading.faults { faults.note(fault.error) }
            try faults.requireNone()
        }
        return reading
    }

    /// Moves the values that a field of an entry cannot have, such as a sentence instead of a phone number, into its comment,
    /// and returns what is wrong with them.
    private static func fitted(_ content: inout EntryContent, now: Instant) throws(ModelError) -> [ModelError] {
        var faults: [ModelError] = []
        while true {
            do throws(ModelError) {
                try content.validate(now: now)
                return faults
            } catch {
                guard let field = content.kind.fields.first(where: { $0.name == error.field }), !field.isRequired,
                    let text = content.body.text(field), field != Doctor.name, field != EmergencyContact.name
                else { throw error }
                content.body[field] = nil
                content.comment = [content.comment, "\(field.label): \(text)"].filter { !$0.isEmpty }
                    .joined(separator: "\n")
                faults.append(error)
            }
        }
    }

    /// The document for the application.
    package static func record(_ id: UUID, _ reading: Reading) -> ImportedRecord {
        var record = ImportedRecord(
            id: id,
            profile: RecordProfile(subject: .human),
            entries: reading.entries,
            shape: .vcard,
            unrepresented: []
        )
        record.hasProfile = false
        (record.faults, record.skipped) = (reading.faults, reading.skipped)
        return record
    }

    // MARK: - Cards

    private struct Card {
        private let lines: [String]
        private let properties: [VCardProperty]

        init(_ lines: VCardLines.Card) throws(ModelError) {
            let lines = try lines.decoded()
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

        /// Whether the card is a list of others.
        var isGroup: Bool {
            ["KIND", "X-ADDRESSBOOKSERVER-KIND"].contains { text($0)?.lowercased() == "group" }
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
                guard let other = organization ?? text("NICKNAME") else {
                    throw ModelError(.invalid, field: "FN", "is missing: a card needs a name")
                }
                return other
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

        /// The text of an address, which vCard 2.1 and 3.0 have in a property of its own: that of an address of the same types.
        private func label(of address: VCardProperty) -> String? {
            let places: Set = ["home", "work", "dom", "intl", "postal", "parcel"]
            let types = Set(address.types).intersection(places)
            return all("LABEL").first { Set($0.types).intersection(places) == types }?.text.trimmed
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
                (Doctor.country, part(6)), (Doctor.addressText, property.label ?? label(of: property) ?? ""),
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
