import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Testing

@testable import JournalServer

/// Uses the pages as a person with a browser does, without a real browser.
struct Browser: Sendable {
    let client: ServiceClient
    /// The value of the session cookie; nil if not signed in.
    let cookie: String?

    func get(_ address: String, _ headers: [(String, String)] = []) async throws -> Answer {
        try await client.with(nil).send(.get, address, nil, self.headers + headers)
    }

    /// Opens a page with a form, fills it in and submits it; other fields keep their values.
    func submit(
        _ address: String,
        _ values: [String: String] = [:],
        from start: String? = nil
    ) async throws -> Answer {
        let page = try await get(start ?? address)
        var fields = page.formFields
        for (name, value) in values { fields[name] = value }
        return try await post(address, fields)
    }

    func post(_ address: String, _ fields: [String: String], _ headers: [(String, String)] = []) async throws -> Answer
    {
        try await post(address, fields.sorted { $0.key < $1.key }, headers)
    }

    /// Submits fields of which some have the same name.
    func post(
        _ address: String,
        _ fields: [(key: String, value: String)],
        _ headers: [(String, String)] = []
    ) async throws -> Answer {
        let body = fields.map { "\($0.key.encoded)=\($0.value.encoded)" }.joined(separator: "&")
        return try await client.with(nil)
            .send(
                .post,
                address,
                body.isEmpty ? "x=" : body,
                self.headers + [
                    ("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Site", "same-origin"),
                ] + headers
            )
    }

    func upload(_ address: String, _ form: Form) async throws -> Answer {
        let sent = [("Content-Type", Form.mediaType), ("Sec-Fetch-Site", "same-origin")]
        return try await client.with(nil).send(.post, address, bytes: form.closed().bytes, headers + sent)
    }

    private var headers: [(String, String)] {
        [("Accept", "text/html")] + (cookie.map { [("Cookie", "\(SessionCookie.name)=\($0)")] } ?? [])
    }
}

extension Browser {
    /// Creates a record with one weight through forms, and returns their paths.
    func start(name: String = "Ida") async throws -> (record: String, weight: String) {
        let made = try await submit("/records/new?subject=human", ["givenName": name, "familyName": "Lu"])
        #expect(made.status == 303)
        let record = try #require(made.location).replacing("?done=recordMade", with: "")
        let added = try await submit("\(record)/entries/weight/new", ["value": "72.5", "date": "2024-05-03"])
        #expect(added.status == 303, "\(added.text)")
        let weight = try #require(added.location).replacing("?done=added", with: "")
        return (record, weight)
    }
}

extension ServiceFixture {
    /// Signs in to an account, and returns the session's secret.
    func session(of account: UUID) async throws -> String {
        let code = try journal.accounts.makeSignInCode(for: account)
        return try await journal.accounts.signIn(code: code, SignInSource(.http)).secret
    }

    /// Runs `test` with a browser that is signed in as the owner.
    func browse<Value>(
        settings: ServerSettings = ServerSettings(),
        _ test: @Sendable (Browser) async throws -> Value
    ) async throws -> Value {
        let cookie = try await session(of: owner.account)
        return try await serve(settings: settings) { client in try await test(Browser(client: client, cookie: cookie)) }
    }
}

extension Answer {
    var location: String? { headers[.location] }

    /// Returns the address of the first link that contains a text, which is escaped as in the page.
    func link(to part: String) -> String { links(to: part).first ?? "/no-link-to-\(part)" }

    func lastLink(to part: String) -> String { links(to: part).last ?? "/no-link-to-\(part)" }

    private func links(to part: String) -> [String] {
        text.matches(of: /href="([^"]*)"/).map { String($0.1) }.filter { $0.contains(part) }
            .map { $0.replacing("&amp;", with: "&") }
    }

    /// The values of the fields in the page's forms, by name.
    var formFields: [String: String] {
        var fields: [String: String] = [:]
        for input in text.matches(of: /<input[^>]*>/) {
            let tag = String(input.0)
            guard let name = tag.attribute("name"), tag.attribute("type") != "file" else { continue }
            let isTicked = ["checkbox", "radio"].contains(tag.attribute("type"))
            if isTicked, !tag.contains(" checked") { continue }
            fields[name] = tag.attribute("value") ?? ""
        }
        for area in text.matches(of: /<textarea[^>]* name="([^"]*)"[^>]*>\n?([^<]*)</) {
            fields[String(area.1)] = String(area.2).unescaped
        }
        for choice in text.matches(of: /<select[^>]* name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/) {
            let options = choice.2.matches(of: /<option value="([^"]*)"( selected)?>/)
            let chosen = options.first { $0.2 != nil } ?? options.first
            fields[String(choice.1)] = chosen.map { String($0.1).unescaped } ?? ""
        }
        return fields
    }
}

extension [String: String] {
    /// The times of day in the lines of a form of a plan.
    var times: String { (0..<24).compactMap { self["times.\($0).at"] }.filter { !$0.isEmpty }.joined(separator: " ") }
}

extension String {
    fileprivate func attribute(_ name: String) -> String? {
        guard let start = firstRange(of: " \(name)=\"")?.upperBound, let end = self[start...].firstIndex(of: "\"")
        else {
            return nil
        }
        return String(self[start..<end]).unescaped
    }

    fileprivate var unescaped: String {
        replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }

    fileprivate var encoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}
