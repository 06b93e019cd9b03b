package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// Operations on a whole record that take and return JSON.
package enum RecordEndpoints {
    /// The name is in the body, because addresses are written to logs.
    package static let lookUp = Endpoint(
        .post,
        "/v1/records/lookup",
        effect: .read,
        id: "lookUpRecord",
        "Find the record that a person means by a name",
        description: """
            The record has the whole name, or a word of its name begins with the text; case and accents do not count. If
            there are several, or none, nothing is chosen: similar records are listed, which is audited.
            The name is in the body, because addresses are written to logs.
            """,
        tag: .records,
        takes: .recordName,
        returns: .document("NameLookup", "The record, or those that the name may mean.")
    ) { journal, caller, name in
        try await journal.records.lookUp(record: name, caller)
    }

    package static let close = Endpoint(
        .delete,
        "/v1/records/{record}",
        id: "closeRecord",
        "Close a record: it stays readable and cannot be changed",
        tag: .records,
        takes: .record,
        .ifMatch,
        returns: .written,
        problems: [.conflict, .erased, .stale]
    ) { journal, caller, record, version in
        try await journal.records.closeRecord(record, expecting: version, caller)
    }

    package static let reopen = Endpoint(
        .post,
        "/v1/records/{record}/reopen",
        id: "reopenRecord",
        "Reopen a closed record: it can be changed again",
        tag: .records,
        takes: .record,
        .ifMatch,
        returns: .written,
        problems: [.conflict, .erased, .stale]
    ) { journal, caller, record, version in
        try await journal.records.reopenRecord(record, expecting: version, caller)
    }

    package static let hold = Endpoint(
        .put,
        "/v1/records/{record}/hold",
        id: "holdRecord",
        "Protect a record from erasure up to and including a day; the hold can be extended, but not shortened",
        tag: .histories,
        reason: .body,
        takes: .record,
        .holdEnd,
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, record, day in
        try await journal.erasure.holdRecord(record, until: day, caller)
    }
}

extension RequestPart where Value == String {
    fileprivate static var recordName: Self {
        .member("name", "RecordNameQuery", example: ("name", ["name": "Maria"]))
    }
}

extension RequestPart where Value == Day {
    /// The last day of a hold.
    fileprivate static var holdEnd: Self {
        let example: JSONValue = ["until": "2036-12-31", "reason": "records of treatment are kept ten years"]
        return Self(body: BodyDescription(schema: "Hold", examples: [("tenYears", example)])) {
            let object = try $0.object
            try object.requireMembers(["until", "reason"])
            let text = try object.text("until") ?? ""
            do throws(ModelError) {
                return try Day(parsing: text)
            } catch {
                throw JournalError(.invalid, field: "until", error.text)
            }
        } write: {
            $1.body = ["until": .string($0.description)]
        }
    }
}
