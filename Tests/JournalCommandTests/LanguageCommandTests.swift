import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Languages on the command line")
struct LanguageCommandTests {
    @Test(
        "A page to print is in the language of the option, or else of the terminal",
        arguments: [
            ([:], [], "en", "75.4"), (["LC_ALL": "de_DE.UTF-8"], [], "de", "75,4"),
            (["LANG": "fr_CH.UTF-8", "LC_ALL": ""], [], "fr", "75,4"),
            (["LC_ALL": "de_DE.UTF-8"], ["--language", "en-IE"], "en", "75.4"),
            (["LC_ALL": "C", "LANG": "de_DE"], [], "en", "75.4"),
        ] as [([String: String], [String], String, String)]
    )
    func exported(_ variables: [String: String], _ options: [String], _ tag: String, _ weight: String) throws {
        let tool = try CommandLineTool(variables)
        let record = try tool.person()
        try tool.run("weight", "log", record, "75.4kg").succeeded()
        let page = try tool.run(["export", record, "--as", "html"] + options).succeeded().text
        #expect(page.contains("<html lang=\"\(tag)\" dir=\"ltr\">") && page.contains("\(weight)\u{A0}kg"))
    }

    @Test("The texts of a language are printed as a file that the service reads, and says what it lacks")
    func words() throws {
        let tool = try CommandLineTool()
        let english = try tool.run("words").succeeded().text
        #expect(english.contains("\nsave = Save\n"))
        #expect(english.contains("\nlabel.Costs = Costs\n"))
        #expect(try tool.run("words", "fr").succeeded().text.contains("\nlanguageTag = fr\n"))
        let unknown = try tool.run("words", "xx")
        #expect(unknown.status == 64)
        #expect(unknown.message.contains("en, de, fr"))
        let file = try tool.write(
            english.replacing("languageTag = en", with: "languageTag = eo")
                .replacing("\nsignIn = Sign in\n", with: "\nsignIn = Ensaluti\n"),
            to: "eo.words"
        )
        let token = try tool.json("token", "issue", "owner", "--scope", "full").string("token")
        let service = try LiveService(tool, token, ["--words", file])
        let page = try tool.run("/usr/bin/curl", ["-s", "-H", "Accept-Language: eo", service.url + "/sign-in"]).text
        #expect(page.contains("<html lang=\"eo\""))
        #expect(page.contains("Ensaluti"))
        service.kill()
        for (text, problem) in [("save = x\n", "languageTag"), ("languageTag\n", "line 1")] {
            let refused = try tool.run("serve", "--port", "0", "--words", tool.write(text, to: "bad.words"))
            #expect(refused.status == 64, "\(refused.message)")
            #expect(refused.message.contains(problem), "\(refused.message)")
        }
        let missing = try tool.run("serve", "--port", "0", "--words", tool.folder.path + "/none.words")
        #expect(missing.status == 64)
        #expect(missing.message.contains("none.words"))
    }
}

@Suite("Times and numbers as they are typed")
struct TypedInputTests {
    @Test("A time is typed by the clock of the journal, also as the moment of a read")
    func times() throws {
        let tool = try CommandLineTool(hasJournal: false)
        try tool.run("init", "--zone", "Europe/Zurich").succeeded()
        let record = try tool.person()
        try tool.run("weight", "log", record, "75.4kg", "--date", "2026-03-01T08:00").succeeded()
        try tool.run("entry", "add", record, "allergy", "name=Nuts", "date=2026-07-01 08:00").succeeded()
        let entries = try tool.json("entry", "list", record).items
        #expect(try entries.map { try $0.string("date") } == ["2026-03-01T07:00:00Z", "2026-07-01T06:00:00Z"])
        // How times are shown does not change what is typed.
        try tool.run("weight", "log", record, "75kg", "--date", "2026-03-02T08:00", "--utc").succeeded()
        let last = try #require(try tool.json("entry", "list", record, "weight").items.last)
        #expect(try last.string("date") == "2026-03-02T07:00:00Z")
        let twice = try tool.run("weight", "log", record, "75kg", "--date", "2026-10-25T02:30")
        #expect(twice.status == 1, "\(twice.message)")
        #expect(twice.message.contains("2026-10-25T02:30:00+01:00"), "\(twice.message)")
        #expect(try tool.run("entry", "list", record, "--as-of", "2020-01-01T08:00").status == 2)
        #expect(try tool.run("entry", "list", record, "--as-of", "2020-01-01T25:00").status == 64)
        #expect(try tool.json("entry", "list", record, "--as-of", "2099-01-01T08:00").items.count == 3)
    }

    @Test("A decimal comma is read in a locale that has one, and elsewhere where it cannot be one of thousands")
    func numbers() throws {
        let german = try CommandLineTool(["LC_NUMERIC": "de_CH.UTF-8"])
        let record = try german.person()
        try german.run("weight", "log", record, "75,4kg").succeeded()
        try german.run("entry", "add", record, "cost", "year=2026", "amount=12,50", "currency=CHF", "basis=item")
            .succeeded()
        let entries = try german.json("entry", "list", record).items
        #expect(
            try entries.map { try $0["value"] == nil ? $0.string("amount") : $0.string("value") } == ["75.4", "12.50"]
        )
        let english = try CommandLineTool(["LC_ALL": "en_GB.UTF-8"])
        let person = try english.person()
        try english.run("weight", "log", person, "75,4kg").succeeded()
        let refused = try english.run("weight", "log", person, "75,400kg")
        #expect(refused.status == 1)
        #expect(refused.message.contains("75.5"))
    }
}
