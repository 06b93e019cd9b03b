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
        #expect(english.contains("\nsave = Save\n") && english.contains("\nlabel.Costs = Costs\n"))
        #expect(try tool.run("words", "fr").succeeded().text.contains("\nlanguageTag = fr\n"))
        let unknown = try tool.run("words", "xx")
        #expect(unknown.status == 64 && unknown.message.contains("en, de, fr"))
        let file = try tool.write(
            english.replacing("languageTag = en", with: "languageTag = eo")
                .replacing("\nsignIn = Sign in\n", with: "\nsignIn = Ensaluti\n"),
            to: "eo.words"
        )
        let token = try tool.json("token", "issue", "owner", "--scope", "full").string("token")
        let service = try LiveService(tool, token, ["--words", file])
        let page = try tool.run("/usr/bin/curl", ["-s", "-H", "Accept-Language: eo", service.url + "/sign-in"]).text
        #expect(page.contains("<html lang=\"eo\"") && page.contains("Ensaluti"))
        service.kill()
        for (text, problem) in [("save = x\n", "languageTag"), ("languageTag\n", "line 1")] {
            let refused = try tool.run("serve", "--port", "0", "--words", tool.write(text, to: "bad.words"))
            #expect(refused.status == 64 && refused.message.contains(problem), "\(refused.message)")
        }
        let missing = try tool.run("serve", "--port", "0", "--words", tool.folder.path + "/none.words")
        #expect(missing.status == 64 && missing.message.contains("none.words"))
    }
}
