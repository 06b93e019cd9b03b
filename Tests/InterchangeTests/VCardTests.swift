import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("Address books")
struct VCardTests {
    private let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x78, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

    private func entry(_ kind: Kind, _ values: [(Field, FieldValue)], _ comment: String = "") throws -> EntryState {
        var content = EntryContent(kind: kind)
        for (field, value) in values { content.body[field] = value }
        content.comment = comment
        let stamp = Stamp(position: 7, recordedAt: try Instant(parsing: "2026-03-01T12:00:00.5Z"), actor: id)
        return EntryState(id: id, record: id, content: content, added: stamp)
    }

    @Test(
        "A doctor and a contact are read by a library as they were entered, with long lines, commas and quotation marks"
    )
    func cards() throws {
        var address = FieldValues()
        address[Doctor.street] = .text("Lindenweg 4; Haus B")
        address[Doctor.city] = .text("Bern")
        address[Doctor.zipCode] = .text("3000")
        address[Doctor.addressText] = .text("Lindenweg 4, \"Haus B\"")
        let note = "Montags: nein,\nsonst ja; " + String(repeating: "üß漢", count: 30)
        let doctor = try entry(
            Doctor.kind,
            [
                (Doctor.name, .text("Dr. Ines Okafor, FMH")), (Doctor.specialty, .text("Kardiologie")),
                (Doctor.phone, .text("+41 31 555 01 10")), (Doctor.email, .text("i@example.org")),
                (Doctor.address, .group(address)),
            ],
            note
        )
        let contact = try entry(
            EmergencyContact.kind,
            [
                (EmergencyContact.name, .text("Jonas")), (EmergencyContact.phone, .text("1; 2")),
                (EmergencyContact.relationship, .text("brother")),
            ]
        )
        let text = try #require(VCard.text(doctor)) + #require(VCard.text(contact))
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 } && lines.contains("REV:20260301T120000Z"))
        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "read_cards.py").path
        let outcome = try Outcome(of: "/usr/bin/python3", ["-B", program], input: Array(text.utf8))
        #expect(outcome.status == 0, "\(outcome.message)")
        let cards = try JSONReader.read(outcome.output)
        guard case .array(let found) = cards, found.count == 2 else {
            Issue.record("two cards are expected")
            return
        }
        let expected: [(String, JSONValue)] = [
            ("fn", "Dr. Ines Okafor, FMH"), ("title", "Kardiologie"), ("tel", "+41 31 555 01 10"), ("version", "4.0"),
            ("note", .string(note)), ("uid", .string("urn:uuid:\(id.text)")), ("street", "Lindenweg 4; Haus B"),
            ("city", "Bern"), ("code", "3000"), ("label", "Lindenweg 4, ^'Haus B^'"),
        ]
        for (name, value) in expected { #expect(found[0][name] == value, "\(name)") }
        #expect(found[1]["fn"] == "Jonas" && found[1]["tel"] == "1; 2" && found[1]["role"] == "brother")
        #expect(VCard.text(try entry(Weight.kind, [])) == nil)
    }

    // MARK: - Reading

    private func read(
        _ text: String,
        as kind: Kind = Doctor.kind,
        known: [EntryState] = []
    ) throws -> [ImportedEntry] {
        try reading(Array(text.utf8), as: kind, known: known).entries
    }

    private func reading(
        _ bytes: [UInt8],
        as kind: Kind = Doctor.kind,
        known: [EntryState] = [],
        isStrict: Bool = false
    ) throws -> VCardDocument.Reading {
        try VCardDocument.read(
            bytes,
            as: kind,
            known: Dictionary(uniqueKeysWithValues: known.map { ($0.id, $0) }),
            namespace: id,
            now: Instant(parsing: "2026-11-28T12:00:00Z"),
            isStrict: isStrict
        )
    }

    @Test("Cards of phones are read in each version: folded, grouped, escaped, and in quoted-printable")
    func versions() throws {
        let apple = """
            BEGIN:VCARD\r
            VERSION:3.0\r
            N:Okafor;Ines;;Dr.;\r
            FN:Dr. Ines Okafor\r
            ORG:Praxis am Bach;\r
            TITLE:Kardio\r
             login\r
            item1.EMAIL;type=INTERNET;type=pref:i@example.org\r
            EMAIL;type=WORK:praxis@example.org\r
            TEL;type=FAX;type=WORK:+41 31 555 01 11\r
            TEL;type="WORK";type=VOICE:+41 31 555 01 10\r
            item2.ADR;type=WORK:;;Lindenweg 4\\; Haus B;Bern;BE;3000;Schweiz\r
            item2.X-ABADR:ch\r
            NOTE:Montags: nein\\,\\nsonst ja\r
            PHOTO;ENCODING=b;TYPE=JPEG:\(String(repeating: "A", count: 900_000))\r
            UID:4D2F\r
            END:VCARD\r

            """
        let android = """
            BEGIN:VCARD
            VERSION:2.1
            N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;
            TEL;CELL;PREF:0791112233
            ADR;HOME;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;;Weg=20=
            1;Z=C3=BCrich;;8000;
            AGENT:
            BEGIN:VCARD
            FN:Somebody else
            TEL:1
            END:VCARD
            END:VCARD
            BEGIN:VCARD
            VERSION:4.0
            FN:
            ORG:Apotheke
            TEL;VALUE=uri:tel:+41-31-555-01-12
            END:VCARD
            """
        let entries = try read(apple + android)
        #expect(entries.count == 3)
        #expect(Set(entries.map(\.id)).count == 3)
        let doctor = entries[0].content
        let values = [Doctor.name, Doctor.specialty, Doctor.phone, Doctor.email].map { doctor.body.text($0) }
        #expect(values == ["Dr. Ines Okafor", "Kardiologin", "+41 31 555 01 10", "i@example.org"].map(\.self))
        let address = try #require(doctor.body.group(Doctor.address))
        #expect(address.text(Doctor.street) == "Lindenweg 4; Haus B")
        #expect(address.text(Doctor.zipCode) == "3000")
        #expect(
            doctor.comment == """
                Montags: nein,
                sonst ja
                Praxis am Bach
                fax, work: +41 31 555 01 11
                praxis@example.org
                """
        )
        let kept = try #require(doctor.extra.first?.json)
        #expect(kept.contains("X-ABADR:ch"))
        #expect(!kept.contains("PHOTO"))
        let person = entries[1].content.body
        #expect(person.text(Doctor.name) == "Jörg Müller")
        #expect(person.text(Doctor.phone) == "0791112233")
        let home = try #require(person.group(Doctor.address))
        #expect(home.text(Doctor.street) == "Weg 1")
        #expect(home.text(Doctor.city) == "Zürich")
        #expect(entries[2].content.body.text(Doctor.name) == "Apotheke")
        #expect(entries[2].content.body.text(Doctor.phone) == "+41-31-555-01-12")
        #expect(try read(apple + android) == entries)

        let latin = "BEGIN:VCARD\nFN:J\u{F6}rg\nEND:VCARD\n".unicodeScalars.map { UInt8($0.value) }
        let found = try reading(latin, as: EmergencyContact.kind).entries
        #expect(found.first?.content.body.text(EmergencyContact.name) == "Jörg")
    }

    @Test("A card that the journal wrote changes its own entry, and what the card does not have stays")
    func again() throws {
        let doctor = try entry(
            Doctor.kind,
            [(Doctor.name, .text("Dr. Okafor")), (Doctor.phone, .text("1")), (Doctor.type, .text("practice"))],
            "first; second, third\\"
        )
        let text = try #require(VCard.text(doctor))
        let same = try #require(read(text, known: [doctor]).first)
        #expect(same.id == id)
        #expect(same.content == doctor.content)
        #expect(same.seen == 7)
        let edited = text.replacing("TEL;VALUE=text:1", with: "TEL:2").replacing("ROLE:practice\r\n", with: "")
        let changed = try #require(read(edited, as: EmergencyContact.kind, known: [doctor]).first)
        #expect(changed.content.body.text(Doctor.phone) == "2")
        #expect(changed.content.body.text(Doctor.type) == "practice")
        var later = doctor
        later.latest = Stamp(position: 9, recordedAt: try Instant(parsing: "2026-03-02T12:00:00Z"), actor: id)
        #expect(try read(edited, known: [later]).first?.seen == 7)
        // An address book may drop the position, and sets its own time.
        let dropped = edited.split(separator: "\r\n").filter { !$0.hasPrefix("X-HEALTHJOURNAL") }
            .map { $0.hasPrefix("REV") ? "REV:20270101T000000Z" : String($0) }
            .joined(separator: "\r\n")
        #expect(try read(dropped, known: [doctor]).first?.seen == 7)
        #expect(try read(dropped, known: [later]).first?.seen == 7)
        #expect(try read(dropped.replacing("20270101T0", with: "20260302T1200"), known: [later]).first?.seen == 7)
        #expect(
            try read(dropped.replacing("20270101T000000Z", with: "20260302T120000Z"), known: [later]).first?.seen == 9
        )
        // In another journal, it is a card like any other.
        #expect(try read(text).first?.id != id)
        let erased = try VCardDocument.read(
            Array(text.utf8),
            as: Doctor.kind,
            known: [:],
            isOurs: { $0 == id },
            namespace: id,
            now: Instant(parsing: "2026-11-28T12:00:00Z")
        )
        #expect(erased.entries.first?.id == id)
    }

    @Test("Only folds divide texts, and what an address book says of itself changes no card")
    func texts() throws {
        let card =
            "BEGIN:VCARD\r\nFN:A\r\nREV:1\r\nPRODID:x\r\nNOTE:one\u{2028}two\r\nTITLE:Ka\r\n \u{308}rdio\r\nEND:VCARD\r\n"
        let read = try #require(read(card).first)
        #expect(read.content.comment == "one\u{2028}two")
        #expect(
            read.content.body.text(Doctor.specialty).map { Array($0.unicodeScalars) }
                == Array("Ka\u{308}rdio".unicodeScalars)
        )
        #expect(try self.read(card.replacing("REV:1", with: "REV:2").replacing(":x", with: ":y")).first == read)
    }

    @Test("A hostile file is refused, or read in a time that grows with its length")
    func hostile() throws {
        let breaks = String(repeating: "=41=\n", count: 200_000)
        let head = "BEGIN:VCARD\nFN:A\nNOTE;ENCODING=QUOTED-PRINTABLE:"
        #expect(throws: ModelError.self) { try read(head + breaks + "\nEND:VCARD\n") }
        #expect(throws: ModelError.self) { try read("BEGIN:VCARD\nFN:" + String(repeating: "a:", count: 2 << 20)) }
        #expect(throws: ModelError.self) { try read(String(repeating: "BEGIN:VCARD\n", count: 500_000)) }
        let parameters = "TEL" + String(repeating: ";A=\"b\"", count: 500_000) + ":1\n"
        #expect(throws: ModelError.self) { try read("BEGIN:VCARD\n\(parameters)END:VCARD\n") }
    }

    private func line(_ head: String, _ value: [UInt8]) -> [UInt8] { Array(head.utf8) + value + [0x0A] }

    @Test("Each text is read in its own encoding, whatever the others of its file have")
    func encodings() throws {
        let cyrillic: [UInt8] = [0xCE, 0xEB, 0xE5, 0xE3]
        let utf8 = Array("Zoë 🩺".utf8)
        var file = Array("BEGIN:VCARD\nVERSION:2.1\n".utf8)
        file += line("FN;CHARSET=windows-1251:", cyrillic)
        file += Array("TITLE;CHARSET=windows-1251;ENCODING=QUOTED-PRINTABLE:=CE=EB\n".utf8)
        file += Array("NOTE;CHARSET=UTF-8;ENCODING=BASE64:WsO8cmljaA==\nEND:VCARD\n".utf8)
        file += Array("BEGIN:VCARD\nVERSION:3.0\n".utf8)
        // A fold in the middle of a character.
        file += line("FN:", Array(utf8[..<3])) + line(" ", Array(utf8[3...])) + Array("END:VCARD\n".utf8)
        file += Array("BEGIN:VCARD\n".utf8) + line("FN:J", [0xF6, 0x72, 0x67]) + Array("END:VCARD\n".utf8)
        file += Array("BEGIN:VCARD\n".utf8) + line("FN;CHARSET=klingon:", cyrillic) + Array("END:VCARD\n".utf8)
        let found = try reading(file)
        #expect(found.entries.map { $0.content.body.text(Doctor.name) } == ["Олег", "Zoë 🩺", "Jörg"])
        #expect(found.entries[0].content.body.text(Doctor.specialty) == "Ол")
        #expect(found.entries[0].content.comment == "Zürich")
        #expect(found.faults.map(\.error.field) == ["card 4.FN"])
    }

    @Test("In quoted-printable, an encoded semicolon is text, and lines that are folded as well are joined")
    func quotedPrintable() throws {
        let card = """
            BEGIN:VCARD\r
            VERSION:2.1\r
            N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=9B=D0=B5=D0=B2=D0=B8=D0=BD=\r
             =D0=B0;=D0=9E=D0=BB=D1=8C=D0=B3=D0=B0;;;\r
            ORG;ENCODING=QUOTED-PRINTABLE:A=3BB;C\r
            ADR;WORK;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:;;Hauptstr. 5=0D=0AHinterhaus=3B 2;Z=C3=BCrich;;8000;CH\r
            LABEL;HOME:Privatweg 1\r
            END:VCARD\r

            """
        let content = try #require(read(card).first).content
        #expect(content.body.text(Doctor.name) == "Ольга Левина")
        #expect(content.comment == "A;B, C")
        let address = try #require(content.body.group(Doctor.address))
        #expect(address.text(Doctor.street) == "Hauptstr. 5, Hinterhaus; 2")
        #expect(address.text(Doctor.city) == "Zürich")
        #expect(address.text(Doctor.addressText) == nil)
        // White space that a program did not add is a part of the text.
        let spaced =
            "BEGIN:VCARD\nVERSION:2.1\nFN;ENCODING=QUOTED-PRINTABLE:Praxis=\n am Bach\nTITLE:a\n b\nEND:VCARD\n"
        let plain = try #require(read(spaced).first).content
        #expect(plain.body.text(Doctor.name) == "Praxis am Bach")
        // vCard 2.1 folds before white space that it has.
        #expect(plain.body.text(Doctor.specialty) == "a b")
        #expect(try read(spaced.replacing("2.1", with: "3.0")).first?.content.body.text(Doctor.specialty) == "ab")
    }

    @Test("One wrong card hides no other: what cannot be read is listed, and a group is nobody")
    func lenient() throws {
        let long = String(repeating: "nur vormittags ", count: 20)
        let file = """
            BEGIN:VCARD
            FN:Dr. Hess
            END:VCARD
            BEGIN:VCARD
            EMAIL:praxis@example.org
            END:VCARD
            BEGIN:VCARD
            FN:
            NICKNAME:Hausarzt
            TEL:\(long)
            END:VCARD
            BEGIN:VCARD
            X-ADDRESSBOOKSERVER-KIND:group
            FN:Aerzte
            END:VCARD
            BEGIN:VCARD
            KIND:group
            FN:Team
            END:VCARD
            BEGIN:VCARD
            FN:Dr. Cut
            """
        let found = try reading(Array(file.utf8))
        #expect(found.entries.map { $0.content.body.text(Doctor.name) } == ["Dr. Hess", "Hausarzt"])
        #expect(found.entries[1].content.body.text(Doctor.phone) == nil)
        #expect(found.entries[1].content.comment == "Phone: \(long.dropLast())")
        #expect(found.faults.map(\.error.field) == ["card 2.FN", "card 3.phone", "card 6"])
        #expect(found.faults.map(\.isKept) == [false, true, false])
        #expect(found.skipped == ["card 4", "card 5"])
        #expect(throws: ModelError.self) { try reading(Array(file.utf8), isStrict: true) }
    }

    @Test("All wrong cards are named by their numbers, without what they contain")
    func refused() throws {
        #expect(throws: ModelError.self) { try read("FN:nobody") }
        #expect(throws: ModelError.self) { try read("BEGIN:VCARD\nFN:secret") }
        let long = String(repeating: "9", count: 5_000)
        do {
            let cards = "BEGIN:VCARD\nTEL:secret\nEND:VCARD\nBEGIN:VCARD\nFN:secret\nTEL:\(long)\nEND:VCARD\n"
            _ = try reading(Array(cards.utf8), isStrict: true)
            Issue.record("the cards were read")
        } catch let error as ModelError {
            #expect(error.description.contains("card 1.FN"))
            #expect(error.description.contains("card 2.phone"))
            #expect(!error.description.contains("secret"))
            #expect(!error.description.contains("999"))
        }
    }
}
