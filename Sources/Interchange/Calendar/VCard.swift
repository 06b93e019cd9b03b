package import HealthModel

/// A doctor or an emergency contact as a card of an address book (vCard 4.0, RFC 6350).
package enum VCard {
    /// The kinds of entries that are cards.
    package static let kinds = [Doctor.kind, EmergencyContact.kind]
    /// The property with the position of the last change of the entry.
    static let position = "X-HEALTHJOURNAL-POSITION"

    /// The card of an entry; nil for an entry of another kind.
    package static func text(_ entry: EntryState) -> String? {
        let values = entry.content.body
        var lines = ContentLines()
        lines.add("BEGIN", "VCARD")
        lines.add("VERSION", "4.0")
        lines.add("UID", "urn:uuid:\(entry.id.text)")
        lines.add("REV", entry.latest.recordedAt.compact)
        lines.add(position, "\(entry.latest.position)")
        switch entry.kind {
        case Doctor.kind:
            lines.add("FN", text: values.text(Doctor.name) ?? "")
            lines.add("TITLE", optional: values.text(Doctor.specialty))
            lines.add("ROLE", optional: values.text(Doctor.type))
            // vCard has no property for a contact person of the person on the card.
            lines.add("X-CONTACT", optional: values.text(Doctor.contactName))
            lines.add("TEL;VALUE=text", optional: values.text(Doctor.phone))
            lines.add("EMAIL", optional: values.text(Doctor.email))
            if let address = values.group(Doctor.address) { lines.add(address) }
        case EmergencyContact.kind:
            lines.add("FN", text: values.text(EmergencyContact.name) ?? "")
            lines.add("TEL;VALUE=text", optional: values.text(EmergencyContact.phone))
            lines.add("EMAIL", optional: values.text(EmergencyContact.email))
            lines.add("ROLE", optional: values.text(EmergencyContact.relationship))
        default: return nil
        }
        lines.add("NOTE", optional: entry.content.comment.isEmpty ? nil : entry.content.comment)
        lines.add("END", "VCARD")
        return lines.text
    }
}

extension ContentLines {
    fileprivate mutating func add(_ name: String, optional value: String?) {
        if let value, !value.isEmpty { add(name, text: value) }
    }

    /// Adds an address by its parts, and as a whole if it was given so.
    fileprivate mutating func add(_ address: FieldValues) {
        let parts = [Doctor.street, Doctor.city, Doctor.state, Doctor.zipCode, Doctor.country]
            .map { Self.escaped(address.text($0) ?? "") }
        // Parameter values are quoted, and are escaped in another way than property values (RFC 6868).
        let label = address.text(Doctor.addressText)
            .map { text in
                text.replacing("^", with: "^^").replacing("\n", with: "^n").replacing("\"", with: "^'")
            }
        add("ADR" + (label.map { ";LABEL=\"\($0)\"" } ?? ""), ";;" + parts.joined(separator: ";"))
    }
}
