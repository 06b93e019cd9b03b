import Foundation
import Interchange
import TestSupport
import Testing

/// Settings of accounts, and documents that contain them.
@Suite("Account settings on the command line")
struct AccountSettingsCommandTests {
    @Test("Settings are changed and printed in the same way with a folder and through a service")
    func settings() throws {
        let service = try LiveService()
        try service.run("account", "preferences", "timeZone=Asia/Kathmandu", "mealTimes.breakfast=07:15").succeeded()
        try service.local.run("account", "preferences", "quiet.from=22:00", "quiet.to=06:30", "mealTimes.lunch=")
            .succeeded()
        try service.run("account", "set", "displayName=Anna Berg").succeeded()
        let remote = try service.json("account", "preferences")
        #expect(try remote.string("timeZone") == "Asia/Kathmandu")
        #expect(remote["mealTimes"] == ["breakfast": "07:15", "dinner": "18:30", "bedtime": "22:00"])
        try service.expectAlike("account", "preferences")
        try service.expectAlike("account", "set")
        let refused = try service.run("account", "preferences", "timeZone=Mars/Base", "--format", "json")
        #expect(refused.status == 1)
        #expect(refused.message.contains(#""field":"timeZone""#))
    }

    @Test("A removed account is refused from the next request on, and its name is not used again")
    func removed() throws {
        let service = try LiveService()
        for name in ["anna", "ben"] { try service.local.run("account", "add", name).succeeded() }
        let token = try service.local.json("token", "issue", "anna", "--scope", "full").string("token")
        try service.run(["record", "list"], token: token).succeeded()
        let first = try service.run("account", "remove", "anna", "--yes", "--reason", "moved out").succeeded()
        #expect(first.text.hasPrefix("removed the account"))
        #expect(try service.run(["record", "list"], token: token).status == 1)
        try service.local.run("account", "remove", "ben", "--yes").succeeded()
        #expect(try service.local.run("record", "list", "--as", "anna").status == 2)
        #expect(try service.local.run("account", "remove", "anna", "--yes").status == 4)
        #expect(try service.run("account", "remove", "owner", "--yes").status == 4)
        try service.expectAlike("account", "list")
        #expect(try service.run("account", "add", "anna").status == 4)
    }

    @Test("In a service that requires subscriptions, an account without a valid one reads and changes nothing")
    func subscription() throws {
        let service = try LiveService("--require-subscription")
        try service.local.run("account", "add", "anna").succeeded()
        let token = try service.local.json("token", "issue", "anna", "--scope", "full").string("token")
        let create = ["record", "create", "--given-name", "Anna", "--format", "json"]
        let record = try service.run(create, token: token).succeeded().json.string("record")
        try service.run("account", "subscription", "anna", "status=expired", "type=annual").succeeded()
        try service.expectAlike("account", "subscription", "anna")
        let refused = try service.run(create, token: token)
        #expect(refused.status == 4)
        #expect(refused.message.contains("subscriptionExpired"))
        try service.run(["record", "show", record], token: token).succeeded()
        try service.run(["export", record, "--as", "mango"], token: token).succeeded()
        try service.run(["account", "preferences"], token: token).succeeded()
        let own = try service.run(["account", "subscription", "anna", "status=active"], token: token)
        #expect(own.status == 4)
        try service.run("account", "subscription", "anna", "status=active").succeeded()
        try service.run(create + ["--yes"], token: token).succeeded()
    }

    @Test("A document of Mango Health is exported as it was imported, and importing it again appends nothing")
    func mango() throws {
        let service = try LiveService()
        let file = try service.local.write(MangoTexts.whole, to: "users.json")
        let trial = try service.local.run("import", "mango", file, "--dry-run", "--format", "json").succeeded().json
        #expect(trial["dryRun"] == true)
        #expect(trial["position"] == nil)
        let report = try service.local.run("import", "mango", file, "--format", "json").succeeded().json
        let record = try report.string("record")
        #expect(report["contradictions"] == ["users.kV9uid7Anna.medications.odd.frequency"])
        let token = try service.local.json("token", "issue", "Anna Berg", "--scope", "full", "--as", "Anna Berg")
            .string("token")
        let export = ["export", record, "--as", "mango"]
        let remote = try service.run(export, token: token).succeeded()
        let local = try service.local.run(export + ["--as", "Anna Berg"]).succeeded()
        #expect(remote.output == local.output)
        let source = try JSONReader.read(Array(MangoTexts.whole.utf8)).withSortedMembers
        // The use of the token is a sign-in here, which is later than the one in the document.
        #expect(try local.json.withSortedMembers.without("lastLoginAt") == source.without("lastLoginAt"))
        let position = try service.local.position
        try service.local.run("import", "mango", file).succeeded()
        #expect(try service.local.position == position)
    }
}

extension JSONValue {
    /// The value with the members of all objects in one order.
    fileprivate var withSortedMembers: JSONValue {
        switch self {
        case .object(let members):
            .object(members.map { .init($0.name, $0.value.withSortedMembers) }.sorted { $0.name < $1.name })
        case .array(let items): .array(items.map(\.withSortedMembers))
        default: self
        }
    }

    /// The value without a member of its objects.
    fileprivate func without(_ name: String) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.name != name }.map { .init($0.name, $0.value.without(name)) })
    }
}
