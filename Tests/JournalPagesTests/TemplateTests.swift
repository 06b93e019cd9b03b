import Foundation
import HealthModel
import Interchange
import Testing

@testable import JournalPages

@Suite("Templates and words")
struct TemplateTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/JournalPages").standardized

    private static func texts() throws -> [(name: String, text: String)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "Templates").path).sorted()
            .map { name in
                (name, try String(contentsOf: folder.appending(path: "Templates/\(name)"), encoding: .utf8))
            }
    }

    @Test("Every file is a valid template, which a page or a partial uses")
    func files() throws {
        var code = ""
        let files = FileManager.default.enumerator(at: Self.folder, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            if file.pathExtension == "swift" { code += try String(contentsOf: file, encoding: .utf8) }
        }
        let texts = try Self.texts()
        #expect(!texts.isEmpty)
        for (name, text) in texts {
            let template = String(name.dropLast(".mustache".count))
            let isUsed = Template.partials.contains(template) || code.contains("Template(\"\(template)\")")
            #expect(isUsed, "nothing uses \(name)")
            #expect(Template.source(template) == Array(text.utf8), "CEmbeddedFiles has another text of \(name)")
            #expect(throws: Never.self, "\(name)") { try Template.parse(Array(text.utf8)) }
        }
        for name in code.matches(of: /Template\("([^"]+)"\)/).map(\.1) {
            #expect(texts.contains { $0.name == "\(name).mustache" }, "there is no template \(name)")
        }
    }

    @Test("Templates include only existing templates and use only defined words")
    func names() throws {
        let words = Languages.builtIn.english
        for (name, text) in try Self.texts() {
            for call in text.matches(of: /\{\{[><]\s*([a-z-]+)\s*\}\}/) {
                #expect(Template.partials.contains(String(call.1)), "\(name) calls \(call.1)")
            }
            for word in text.matches(of: /\{\{\{?\s*w\.([A-Za-z0-9]+)\s*\}/) {
                #expect(words.texts[String(word.1)] != nil, "\(name) names \(word.1)")
            }
        }
    }

    @Test("Every defined word is used, and every word that the code uses is defined")
    func words() throws {
        let words = Languages.builtIn.english
        var said = try Self.texts().map(\.text).joined()
        for path in ["", "../JournalServer/Pages", "../JournalServer/Reminders"] {
            let place = Self.folder.appending(path: path).standardized
            let files = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                if file.pathExtension == "swift" { said += try String(contentsOf: file, encoding: .utf8) }
            }
        }
        for name in words.texts.keys where !name.contains(".") {
            // The names of headings, leads and hints are composed from an existing name.
            let stem = name.replacing(/(Heading|Lead|Hint)$/, with: "")
            if stem != name, words.texts[stem] != nil { continue }
            let isSaid =
                said.contains("\"\(name)\"") || said.contains("w.\(name)}") || said.contains(".\(name)")
                || said.contains("=\(name)\"")
            #expect(isSaid, "nothing says \(name)")
        }
        for call in said.matches(of: /words\["([A-Za-z0-9.-]+)"/) {
            #expect(words.texts[String(call.1)] != nil, "the code says \(call.1)")
        }
        for call in said.matches(of: /words\.count\([^"\n]*"([A-Za-z0-9.-]+)"/) {
            for form in ["one", "many"] {
                #expect(words.texts["\(call.1).\(form)"] != nil, "the code says \(call.1).\(form)")
            }
        }
    }

    @Test("Every access, section, verb, choice and tab has a word")
    func model() throws {
        let words = Languages.builtIn.english
        let choices = (Kind.all.flatMap(\.fields) + RecordProfile.fields(for: .human))
            .flatMap { field -> [String] in if case .choice(let choices) = field.type { choices } else { [] } }
        let names =
            AccessAction.allCases.map { "access.\($0.rawValue)" }
            + Section.allCases.map { "section.\($0.name)" }
            + Verb.allCases.map { "verb.\($0)" } + choices.map { "choice.\($0)" }
            + RecordHead.Place.allCases.map { "tab.\($0.rawValue)" }
        for name in names { #expect(words.texts[name] != nil, "\(name)") }
    }

    @Test("What the pages say of rules and triage is what the model says")
    func notices() {
        let words = Languages.builtIn.english
        #expect(words["triageNotice"] == TriageRules.notice)
        #expect(words["rulesWorth"] == CheckDocument.disclaimer)
    }

    @Test("Unescaped values are used only for the pages' own attributes, styles and pictures")
    func unescaped() throws {
        let allowed = ["attributes", "page.style", "qr", "svg", "ticks"]
        for (name, text) in try Self.texts() {
            for place in text.matches(of: /\{\{\{\s*([A-Za-z.]+)\s*\}\}\}/) {
                #expect(allowed.contains(String(place.1)), "\(name): \(place.1)")
            }
            #expect(!text.contains("{{&"), "\(name)")
        }
    }
}

@Suite("Escaping")
struct EscapingTests {
    @Test(
        "Text stays text, even if a combining accent follows the character that ends it",
        arguments: ["<b>", "a\"b", "a'b", "a&b", "\"\u{338} onfocus=alert(1) x=\"", "<\u{338}script>", ">\u{301}"]
    )
    func escaped(_ text: String) throws {
        let page = SignInPage(name: text, problem: text)
        let html = try PageRenderer()
            .render(page, in: PageFrame(title: text, notice: PageFrame.Notice(text)), Languages.builtIn.english)
        let plain = try PageRenderer()
            .render(
                SignInPage(name: "", problem: "x"),
                in: PageFrame(title: "", notice: PageFrame.Notice("x")),
                Languages.builtIn.english
            )
        for mark in ["<", ">", "\""] {
            let count = { (page: String) in page.unicodeScalars.filter { String($0) == mark }.count }
            #expect(count(html) == count(plain), "\(mark)")
        }
    }

    @Test("Characters that change the reading direction are replaced")
    func directions() throws {
        let html = try PageRenderer()
            .render(SignInPage(name: "a\u{202E}b"), in: PageFrame(title: ""), Languages.builtIn.english)
        #expect(!html.unicodeScalars.contains("\u{202E}"))
    }
}

@Suite("Words")
struct WordsTests {
    @Test("A line without a text, or with a name that is defined already, is refused")
    func malformed() throws {
        #expect(throws: MalformedWords(line: 2)) { try Words(parsing: Array("a = b\nc\n".utf8)) }
        #expect(throws: MalformedWords(line: 3)) { try Words(parsing: Array("a = b\n\na = c\n".utf8)) }
    }

    @Test("A value replaces its number once, and is not itself searched for numbers")
    func filled() throws {
        let words = try Words(parsing: Array("a = {1} of {0} {2} {x}\nn.one = {0} day\nn.many = {0} days\n".utf8))
        #expect(words["a", "{1}", "b"] == "b of {1} {2} {x}")
        #expect(words.count(1, "n", "1") == "1 day")
        #expect(words.count(2, "n", "2") == "2 days")
    }
}
