import Foundation
import Testing

@testable import HealthModel

/// The bundled list of names, and lists that an operator loads.
@Suite("Substances")
struct SubstanceTests {
    @Test("The bundled list is sorted, and no name of it occurs twice")
    func sorted() {
        let names = Substance.bundled.map { FoldedName($0.name).text }
        #expect(names == names.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) })
        #expect(names.count >= 700)
        var seen: [FoldedName: String] = [:]
        for substance in Substance.bundled {
            for name in substance.names {
                let other = seen.updateValue(substance.name, forKey: FoldedName(name))
                #expect(other == nil, "\(name) of \(substance.name)")
            }
        }
    }

    @Test("Each line of the bundled list has the documented form")
    func form() throws {
        let text = try #require(String(validating: BundledList.bytes, as: UTF8.self))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last?.isEmpty == true)
        for line in lines.dropLast() where !line.hasPrefix("#") {
            let fields = line.split(separator: ";", omittingEmptySubsequences: false)
            #expect((3...4).contains(fields.count), "\(line)")
            #expect(!fields[0].isEmpty && !fields[2].isEmpty, "\(line)")
            #expect(fields.count < 4 || fields[3] == "common", "\(line)")
            for field in fields[0...2] where !field.isEmpty {
                for item in field.split(separator: ",", omittingEmptySubsequences: false) {
                    #expect(!item.isEmpty, "\(line)")
                    #expect(item.first != " ", "\(line)")
                    #expect(item.last != " ", "\(line)")
                    #expect(!FoldedName(String(item)).isEmpty, "\(line)")
                }
            }
        }
    }

    @Test("Classes are written in lower case with hyphens, each in one way")
    func classes() {
        let classes = Set(Substance.bundled.flatMap(\.classes))
        for name in classes {
            #expect(name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }, "\(name)")
        }
        #expect(Set(classes.map { $0.filter { $0 != "-" } }).count == classes.count)
        let needed = [
            "ssri", "maoi", "nsaid", "opioid", "anticoagulant", "benzodiazepine", "statin", "macrolide", "triptan",
            "ace-inhibitor", "potassium-sparing-diuretic", "azole", "penicillin", "cephalosporin", "antiplatelet",
        ]
        #expect(classes.isSuperset(of: needed))
        for substance in Substance.bundled {
            #expect(Set(substance.classes).count == substance.classes.count, "\(substance.name)")
        }
    }

    @Test("The eight names of the first sketch of the app are among them")
    func firstNames() {
        let names = [
            "Acetaminophen", "Ibuprofen", "Aspirin", "Metformin", "Lisinopril", "Atorvastatin", "Amlodipine",
            "Omeprazole",
        ]
        for name in names { #expect(NameCatalogue.bundled.substance(named: FoldedName(name)) != nil, "\(name)") }
        #expect(NameCatalogue.common.count == 300)
    }

    @Test("A loaded list has a name a line, or names, synonyms and codes")
    func loaded() throws {
        let text = "\u{FEFF}Name; Synonyms; Code\r\n# a comment\r\n\nAlgiphen 400; ibuprofen ,Algi;X01\nZufirin\n"
        let list = try NameListFile.parse(Array(text.utf8))
        #expect(
            list == [
                Substance(name: "Algiphen 400", synonyms: ["ibuprofen", "Algi"], code: "X01"),
                Substance(name: "Zufirin"),
            ]
        )
        let catalogue = NameCatalogue(loaded: [list])
        #expect(catalogue.substance(of: FoldedName("algi"))?.name == "ibuprofen")
        #expect(catalogue.substance(of: FoldedName("algi"))?.code == "X01")
        #expect(catalogue.substance(of: FoldedName("ZUFIRIN"))?.name == "Zufirin")
        #expect(catalogue.substance(of: FoldedName("aspirin"))?.name == "acetylsalicylic acid")
    }

    @Test(
        "A list with a mistake is refused, and the error names the line",
        arguments: [
            ("a;b;c;d", "line 1"), ("good\n;x", "line 2"), ("good\n?!;x", "line 2"), ("a\u{1}b", "line 1"),
            (String(repeating: "x", count: 1_001), "line 1"), ("", nil), ("# nothing", nil),
        ]
    )
    func mistakes(text: String, field: String?) {
        #expect {
            try NameListFile.parse(Array(text.utf8))
        } throws: { error in
            (error as? ModelError)?.code == .invalid && (error as? ModelError)?.field == field
        }
        #expect(throws: ModelError.self) { try NameListFile.parse([0x61, 0xFF]) }
    }

    @Test("A corrected name infers its substance again, and what was stated of it stays")
    func renamed() throws {
        let ibuprofen = {
            var content = EntryContent(kind: Drug.kind)
            try content.set("name", text: "Ibuprofène")
            content.fillSubstance(from: .bundled, strength: ExactDecimal(coefficient: 400, scale: 0), unit: "mg")
            return content
        }
        func substance(_ edit: (inout EntryContent) throws -> Void) throws -> [String?] {
            var content = try ibuprofen()
            try edit(&content)
            content.inferSubstanceAgain(after: try ibuprofen()) { .bundled }
            let group = content.body.groups(PlanFields.substances).first
            return [
                group?.text(PlanFields.Substance.name), group?.decimal(PlanFields.Substance.strength)?.description,
                group?.text(PlanFields.Substance.strengthUnit), content.inferred.first,
            ]
        }
        #expect(try substance { _ in } == ["ibuprofen", "400", "mg", "substances"])
        #expect(try substance { try $0.set("name", text: "APAP") } == ["paracetamol", "400", "mg", "substances"])
        #expect(try substance { try $0.set("name", text: "Zqxol") } == ["Zqxol", "400", "mg", nil])
        let own = [("name", "Zqxol"), ("substances.0.name", "warfarin")]
        #expect(try substance { try $0.set(own.map { (name: $0.0, value: $0.1) }) } == ["warfarin", "400", "mg", nil])
        // The amount says nothing about the name.
        let amount = [("substances.0.strength", "200")]
        #expect(
            try substance { try $0.set(amount.map { (name: $0.0, value: $0.1) }) }
                == ["ibuprofen", "200", "mg", "substances"]
        )
    }
}

private enum BundledList {
    /// The list as it is in the repository.
    static let bytes: [UInt8] = {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let file = package.appending(path: "Sources/HealthModel/Names/substances.names")
        return (try? Data(contentsOf: file)).map(Array.init) ?? []
    }()
}
