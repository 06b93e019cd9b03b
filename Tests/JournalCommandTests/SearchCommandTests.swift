import Foundation
import Interchange
import TestSupport
import Testing

@Suite("The command search")
struct SearchCommandTests {
    private struct Household {
        let tool: CommandLineTool

        init() throws {
            tool = try CommandLineTool()
            try tool.run("record", "create", "--given-name", "Maria", "--family-name", "Keller").succeeded()
            try tool.run("record", "create", "--animal", "--name", "Biscuit", "--species", "dog").succeeded()
            for arguments in [
                ["biscuit", "vaccination", "name=Rabies", "place=Kleintierpraxis", "--date", "2024-09-16"],
                ["biscuit", "vaccination", "name=Rabies", "--date", "2023-09-18", "comment=after the bite"],
                [
                    "maria", "cost", "year=2025", "amount=120.50", "currency=CHF", "basis=item",
                    "comment=bill of the dentist",
                ],
            ] { try tool.run(["entry", "add"] + arguments).succeeded() }
        }

        func search(_ arguments: String...) throws -> Outcome {
            try tool.run(["search"] + arguments)
        }
    }

    @Test("The latest entries come first, with their record and what was found in them")
    func table() throws {
        let household = try Household()
        let lines = try household.search("biscuit", "rab").succeeded().text.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("DATE"))
        #expect(lines[1].hasPrefix("2024-09-16  Biscuit  vaccination  Rabies  place: Kleintierpraxis"))
        #expect(lines[2].contains("after the bite"))
        #expect(try household.search("dentist", "bill").succeeded().text.contains("Maria Keller  cost"))
        let profile = try household.search("keller").succeeded().text
        #expect(profile.contains("Maria Keller"))
        #expect(!profile.contains("dentist"))
        let bounded = try household.search("rabies", "--until", "2023").succeeded().text
        #expect(bounded.contains("2023-09-18"))
        #expect(!bounded.contains("2024-09-16"))
        #expect(try household.search("rabies", "--record", "maria").succeeded().text.isEmpty)
        let limited = try household.search("rabies", "--limit", "1").succeeded()
        #expect(limited.text.contains("2024-09-16"))
        #expect(limited.message.contains("1 of 2 entries"))
    }

    @Test("A typing error is found and said, and nothing found says where it was looked")
    func notes() throws {
        let household = try Household()
        let similar = try household.search("rabeis").succeeded()
        #expect(similar.text.contains("Rabies") && similar.message.contains("Nothing has these words as typed"))
        let vain = try household.search("tetanus").succeeded()
        #expect(vain.text.isEmpty)
        #expect(vain.message.contains("nothing was found in the 2 records"))
        let answer = try household.search("rabies", "--format", "json").succeeded().json
        #expect(answer["count"] == 2)
        #expect(answer["isNear"] == false)
    }

    @Test(
        "Mistakes are usage errors that say what is wrong",
        arguments: [
            (["--", "--"], "has no letter and no digit"), (["x", "--kind", "elephant"], "vaccination"),
            (["x", "--since", "2025", "--until", "2024"], "is before"), (["x", "--since", "soon"], "--since"),
            (["x", "--limit", "0"], "--limit"), ([], "words"),
        ]
    )
    func mistakes(arguments: [String], message: String) throws {
        let refused = try CommandLineTool().run(["search"] + arguments)
        #expect(refused.status == 64, "\(refused.message)")
        #expect(refused.message.contains(message), "\(refused.message)")
    }
}
