import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Reads through a service")
struct RemoteReadTests {
    @Test("The whole sample household is printed as from the folder")
    func household() throws {
        let service = try LiveService()
        try service.local.run("sample").succeeded()
        let position = try service.local.position
        // A year of which the sample has entries.
        let year = "\(Calendar(identifier: .gregorian).component(.year, from: Date()) - 1)"
        try service.expectAlike("record", "list")
        try service.expectAlike("record", "list", "--as-of", "3")
        for record in try service.local.json("record", "list").items.map({ try $0.string("id") }) {
            try service.expectAlike("record", "show", record, "--as-of", "\(position)")
            let june = "\(year)-06-01"
            try service.expectAlike("record", "show", record, "--as-of", "\(position)", "--happened-by", june)
            try service.expectAlike("record", "show", record, "--as-of", "1999-12-31")
            try service.expectAlike("entry", "list", record)
            try service.expectAlike("entry", "list", record, "weight", "--as-of", "\(position)", "--retracted")
            try service.expectAlike("entry", "list", record, "--retracted", "--happened-by", june)
            try service.expectAlike("entry", "list", record, "--since", year, "--until", "\(year)-06", "--sort", "date")
            try service.expectAlike("entry", "list", record, "weight", "--since", "\(year)-03-04", "--limit", "2")
            try service.expectAlike("costs", record)
            try service.expectAlike("costs", record, "--year", year, "--currency", "chf")
            try service.expectAlike("caregiver", "list", record)
            try service.expectAlike("caregiver", "invitations", record)
            try service.expectAlike("record", "owner", "list", record, "--as-of", "\(position)")
            for format in ["csv", "purus"] { try service.expectAlike("export", record, "--as", format) }
            try service.expectAlike("export", record, "--as", "csv", "--kind", "weight", "--kind", "medication")
            try service.expectAlike("export", record, "--as", "native", "--as-of", "\(position)")
            let entries = try service.local.json("entry", "list", record, "--retracted").items
            let entry = try #require(entries.last).string("id")
            try service.expectAlike("entry", "history", entry)
        }
        for words in ["rabies", "rabeis", "weight \(year)", "winter", "xyzzy"] {
            try service.expectAlike("search", words, "--as-of", "\(position)", "--limit", "3")
        }
        try service.expectAlike("search", "biscuit", "--kind", "cost", "--since", year, "--as-of", "\(position)")
        try service.expectAlike("costs")
        try service.expectAlike("account", "list")
        try service.expectAlike("notices")
    }

    @Test("A caregiver gets the same answers and refusals as from the folder")
    func caregiver() throws {
        let service = try LiveService()
        let local = service.local
        try local.json("account", "add", "anna")
        let anna = try local.json("token", "issue", "anna", "--scope", "full").string("token")
        let record = try local.person()
        try local.json("record", "set", record, "birthdate=1931-05-06")
        try local.json("entry", "add", record, "allergy", "name=Penicillin")
        try local.json("entry", "add", record, "doctor", "name=Dr. Berg")
        try local.json("caregiver", "grant", record, "anna", "--sections", "doctorlist")
        func expectAlike(_ arguments: [String], _ location: SourceLocation = #_sourceLocation) throws {
            let here = try local.run(arguments + ["--as", "anna"])
            let there = try service.run(arguments, token: anna)
            #expect(there.status == here.status && there.text == here.text, sourceLocation: location)
            #expect(there.message == here.message, sourceLocation: location)
        }
        for format in ["table", "json"] {
            try expectAlike(["record", "show", record, "--format", format])
            try expectAlike(["record", "list", "--format", format])
            try expectAlike(["entry", "list", record, "--format", format])
            try expectAlike(["entry", "list", record, "allergy", "--format", format])
            try expectAlike(["caregiver", "list", record, "--format", format])
        }
        let why = ["--reason", "found unconscious at home"]
        try service.run(["caregiver", "emergency", record] + why, token: anna).succeeded()
        for format in ["table", "json"] { try expectAlike(["record", "show", record, "--format", format]) }
        try service.expectAlike("notices")
        let notice = try #require(try service.json("notices").items.first).integer("position")
        #expect(try service.run(["notices", "acknowledge", "\(notice)"], token: anna).status == 2)
        #expect(try service.json("notices", "acknowledge", "\(notice)")["changed"] == .bool(true))
        try service.expectAlike("notices")
    }

    @Test("Ids may be shortened, and entries that the caller may not see are not found")
    func prefixes() throws {
        let service = try LiveService()
        let local = service.local
        let record = try local.person()
        let id = "7d3c9b1a-2f64-4e0b-9c55-0a1b2c3d4e5f"
        try local.json("entry", "add", record, "weight", "value=72", "unit=kg", "--id", id)
        try service.expectAlike("entry", "history", "7D3C9B1A")
        try service.expectAlike("entry", "history", "7d3c9b1a-2f")
        try service.expectAlike("entry", "list", String(record.prefix(18)))
        for wrong in ["7d3c9b1", "7d3c9b1b", "../../../x", "", "7d3c9b1a-2f64-4e0b-9c55-0a1b2c3d4e50"] {
            try service.expectAlike("entry", "history", wrong)
        }
        for wrong in ["00000000", "nobody's"] { try service.expectAlike("entry", "list", wrong) }
        try local.json(
            "entry",
            "add",
            record,
            "weight",
            "value=73",
            "unit=kg",
            "--id",
            "7d3c9b1a-0000-4e0b-9c55-0a1b2c3d4e5f"
        )
        try service.expectAlike("entry", "history", "7d3c9b1a")
        try local.json("account", "add", "anna")
        try local.json("caregiver", "grant", record, "anna", "--sections", "doctorlist")
        let anna = try local.json("token", "issue", "anna", "--scope", "full").string("token")
        #expect(try service.run(["entry", "history", id], token: anna).status == 2)
        #expect(try service.run(["entry", "history", "7d3c9b1a-2f"], token: anna).status == 2)
    }
}
