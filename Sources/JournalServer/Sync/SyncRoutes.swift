import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for devices that work offline: they fetch the events that they may see, and send the changes made on them.
struct SyncRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(SyncEndpoints.devices),
        Operation(
            method: .post,
            path: "/v1/devices",
            id: "addDevice",
            summary: "Register a device that sends changes",
            tag: .sync,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "NewDevice", examples: [("phone", ["name": "phone"])]),
            answers: [.json("AddedDevice", "Registered.", status: 201, headers: [.eTag])],
            problems: [.refused, .conflict],
            handler: addDevice
        ),
        Operation(SyncEndpoints.removeDevice),
        Operation(
            method: .get,
            path: "/v1/sync",
            id: "fetchChanges",
            summary: "Fetch the events of the records that the account may see, to use them offline",
            description: """
                Each line is a JSON object. `event` is an event as in the feed, with its number in its stream. `forget` \
                names a record of which the account no longer sees what it saw at `after`: delete it. `again` names a \
                record of which it sees more: fetch that one again with `record` and `after=0`. The last line has the \
                position `upTo`, after which the next page begins, `more` if there is one, the signed checkpoint of \
                the log, the time, the version of the table of time zones, and `sight`, the sections that the account \
                sees of each record. With `data=protobuf` the data of each event is in `data_base64`, in the form in \
                which the log stores it. If the log ends before `after`, the answer is 409: it was restored to an older \
                state. The page is in the audit trail of each record; what is read on the device later is not.
                """,
            tag: .sync,
            parameters: [.after, .limit, .syncedRecord, .syncedData],
            answers: [
                AnswerDescription(
                    description: "Events, and how far they reach.",
                    content: [("application/x-ndjson", "Lines")]
                )
            ],
            problems: [.refused, .conflict],
            handler: fetch
        ),
        Operation(
            method: .post,
            path: "/v1/sync",
            id: "sendChanges",
            summary: "Send changes that were made offline",
            description: """
                Each line is a change of one entry, in the order in which they were made: `id` makes it safe to send \
                it again, `device` is a registered one, `seq` ascends, `madeAt` is the time by the device's clock, \
                `base` the position as of which the device knew the entry, and `content` the whole entry. `do` is add, \
                log (of a dose), correct, change (of a plan), retract, restore, snooze or settle. With `Device-Time`, \
                the device's clock when it sends the request, `madeAt` is corrected by the distance of the clocks. If \
                that is more than 5 minutes, the date of a dose is corrected too. The date of a dose that was taken is \
                never later than its receipt, and never a reason to refuse it; `stated` has the date as it was sent.

                To snooze, `entry` is the plan, and `content` has the `slot` and `until`. To settle, `entry` is the \
                entry, and `content` has the `position` and the `choice` of POST /v1/divergences.

                Each line is answered by a line once it is durable: `outcome` is taken, already (it was sent before), \
                merged (with changes that the device did not know), diverged (it contradicts one: the later version is \
                shown, the other kept, see `fields`) or refused (see `problem`; it should stay on the device). Send \
                lines without an answer again. At most 1,000 lines.
                """,
            tag: .sync,
            parameters: [.deviceTime],
            body: BodyDescription(
                mediaTypes: ["application/x-ndjson", "application/ndjson"],
                schema: "Lines",
                examples: [("weight", .string(JSONWriter.text(exampleChange) + "\n"))]
            ),
            answers: [
                AnswerDescription(
                    description: "One line for each change that was decided.",
                    content: [("application/x-ndjson", "Lines")]
                )
            ],
            problems: [.refused],
            handler: send
        ),
        Operation(SyncEndpoints.divergences),
        Operation(SyncEndpoints.settle),
    ]

    static let schemas: [JSONValue.Member] = [
        .init("Device", DeviceDocument.schema), .init("Devices", OpenAPI.list("devices", of: "Device")),
        .init(
            "NewDevice",
            OpenAPI.object(["name": JSONSchema.lineText(maximum: Limits.line).merging(["minLength": 1])])
        ),
        .init("AddedDevice", OpenAPI.written("The new device.", and: ["device": JSONSchema.identifier])),
        .init("Divergence", DivergenceDocument.schema),
        .init("Divergences", OpenAPI.list("divergences", of: "Divergence")),
        .init(
            "Settlement",
            OpenAPI.object([
                "choice": ["enum": .array(DivergenceSettled.Choice.allCases.map { .string($0.name) })]
            ])
        ),
    ]

    private static let exampleChange: JSONValue = [
        "id": "phone/1", "device": "018f3f6a-4b1c-7d2e-8f00-2f6c1f6e9a01", "seq": 1,
        "madeAt": "2026-03-02T07:05:00Z", "record": "018f3f6a-4b1c-7d2e-8f00-2f6c1f6e9a02",
        "entry": "018f3f6a-4b1c-7d2e-8f00-2f6c1f6e9a03", "kind": "weight", "do": "add", "base": .null,
        "content": ["date": "2026-03-02T07:05:00Z", "value": "72.5", "unit": "kg"],
    ]

    private func addDevice(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["name"])
        let caller = try context.writer(request, body: document.bytes, reason: query[.reason])
        let added = try await journal.sync.addDevice(named: document.text("name"), caller)
        return added.write.response(.created, adding: [.init("device", .string(added.id.text))])
    }

    private func fetch(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let record = try query.value(.syncedRecord) { text throws(ModelError) in
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be a UUID") }
            return id
        }
        let asStored = try query.value(.syncedData) { text throws(ModelError) in
            guard ["json", "protobuf"].contains(text) else { throw ModelError(.invalid, "must be json or protobuf") }
            return text == "protobuf"
        }
        let page = try await journal.sync.syncPage(
            after: UInt64(query.integer(.after) ?? 0),
            record: record,
            limit: query.integer(.limit) ?? FeedQuery.maximumLimit,
            asStored: asStored ?? false,
            context.requireCaller()
        )
        return Response(page.lines.flatMap { JSONWriter.bytes($0) + [0x0A] }, type: .lines)
    }

    private func send(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/x-ndjson", "application/ndjson"])
        let caller = try context.requireCaller()
        try await journal.access.require(.sync, caller)
        let slot = try services.streams.acquire(for: caller.account)
        let deviceTime = try request.deviceTime
        let received = journal.now
        let body = try await request.bytes(atMost: SyncCommand.batchBytes)
        let stream = try SyncStream(
            journal,
            context,
            offset: deviceTime.map { received.microseconds.subtractingReportingOverflow($0.microseconds).partialValue },
            body,
            slot
        )
        return try await stream.response()
    }
}

extension Parameter {
    fileprivate static let syncedRecord = Parameter(
        .query,
        "record",
        component: "syncedRecord",
        "The id of a record: only its events.",
        schema: JSONSchema.identifier
    )

    fileprivate static let syncedData = Parameter(
        .query,
        "data",
        component: "syncedData",
        "The form of the events' data.",
        schema: ["enum": ["json", "protobuf"], "default": "json"]
    )

    fileprivate static let deviceTime = Parameter(
        .header,
        "Device-Time",
        component: "deviceTime",
        "The time by the device's clock when it sends the request.",
        schema: JSONSchema.sentTime
    )
}

extension Request {
    fileprivate var deviceTime: Instant? {
        get throws {
            guard let text = headers.value(of: .deviceTime) else { return nil }
            guard let instant = try? Instant(parsing: text) else {
                throw JournalError(.invalid, field: "Device-Time", "must be an RFC 3339 time")
            }
            return instant
        }
    }
}
