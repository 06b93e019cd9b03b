import Foundation
import Testing

/// Statements of the architecture article that the sources can contradict.
@Suite("The architecture article")
struct ArchitectureTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let article: String

    init() throws {
        article = try String(
            contentsOf: Self.root.appending(path: "Sources/HealthJournal/HealthJournal.docc/Architecture.md"),
            encoding: .utf8
        )
    }

    private func folders(of path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: path).path).sorted()
    }

    @Test("The table of modules has every target of Sources")
    func modules() throws {
        for target in try folders(of: "Sources") {
            #expect(article.contains("`Sources/\(target)`"), "\(target)")
        }
    }

    @Test("The targets with unsafe code are those that the article names")
    func unsafeCode() throws {
        let paragraphs = article.components(separatedBy: "\n\n")
        let paragraph = try #require(paragraphs.first { $0.contains("strict memory safety") })
        let named = Set(paragraph.matches(of: /`([A-Z]\w+)`/).map { String($0.1) })
        var found: Set<String> = []
        for target in try folders(of: "Sources") {
            let folder = Self.root.appending(path: "Sources/\(target)")
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift")
            {
                let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                let code = source.split(separator: "\n").filter { !$0.contains("//") }
                if code.contains(where: { $0.contains(/\bunsafe\b/) }) { found.insert(target) }
            }
        }
        #expect(found == named)
    }

    /// What appends events, or reads the contents of records, without the gate and the audit of reads.
    private static func inner() throws -> Regex<AnyRegexOutput> {
        try Regex(
            [
                #"journal\.(log|changing|once|fold|current|vault|views|medicalRecords|load|cache)\b"#, #"\bChange\("#,
                #"\.contents\("#, #"\.access\.(admit|trace|decideAdmission|header|recordAccess|refusal)\("#,
                #"Gate\.admit"#,
                #"ActiveMembership\("#, #"\.changeAccount\("#, #"UnlessErased\("#, #"\.careState\("#, #"\.fileBytes\("#,
                #"\.storeRemoved\("#, #"\.patientName\("#, #"\.openDose\("#,
            ]
            .joined(separator: "|")
        )
    }

    @Test("The service, the pages and the commands do not reach past the capabilities of the journal")
    func outerLayers() throws {
        let inner = try Self.inner()
        for target in ["JournalServer", "JournalPages", "JournalCommand"] {
            let folder = Self.root.appending(path: "Sources/\(target)")
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift")
            {
                let code = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                    .replacing(/\/\/.*/, with: "")
                    .replacing(/"(?:[^"\\\n]|\\.)*"/, with: "\"\"")
                    .replacing(/\s*\n\s*\./, with: ".")
                for found in code.matches(of: inner) {
                    Issue.record("\(target)/\(file): \(code[found.range])")
                }
            }
        }
    }

    @Test("The search for what reaches past the capabilities finds it")
    func search() throws {
        let inner = try Self.inner()
        for text in ["journal.log", "x.journal.changing(caller)", "try Change(journal", "Gate.admit(", "a.contents(b)"]
        {
            #expect(text.firstMatch(of: inner) != nil, "\(text)")
        }
        #expect("journal.records.read(record)".firstMatch(of: inner) == nil)
    }
}
