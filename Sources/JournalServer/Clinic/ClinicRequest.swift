import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// What the routes of practices have in common.
extension Request {
    /// Reads the body as a JSON object, and the caller.
    func object(_ context: ServerContext, _ query: Query) async throws -> (object: NativeObject, caller: Caller) {
        try requireMediaType(["application/json"])
        let body = try await bytes(atMost: BodyLimits.jsonBytes)
        let caller = try context.writer(self, body: body, reason: query[.reason])
        return (try NativeObject(JSONReader.read(body)), caller)
    }
}

extension Query {
    /// The days from the first to the last one; by default, the last one is the first.
    func days() throws -> ClosedRange<Day> {
        let first = try value(.firstShownDay) { text throws(ModelError) in try Day(parsing: text) }
        guard let first else { throw JournalError(.invalid, field: "from", "is required") }
        let last = try value(.lastShownDay) { text throws(ModelError) in try Day(parsing: text) } ?? first
        guard first <= last else { throw JournalError(.invalid, field: "to", "is before the first day") }
        return first...last
    }
}

extension Parameter {
    static let firstShownDay = day("from", component: "firstCalendarDay", "The first day, by the practice's clock.")
    static let lastShownDay = day("to", component: "lastCalendarDay", "The last day; by default the first one.")

    private static func day(_ name: String, component: String, _ description: String) -> Parameter {
        Parameter(
            .query,
            name,
            component: component,
            isRequired: name == "from",
            description,
            schema: JSONSchema.dayText
        )
    }
}
