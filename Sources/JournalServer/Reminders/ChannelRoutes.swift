import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for the channels on which the caller's own account gets reminders.
struct ChannelRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/channels",
            id: "listChannels",
            summary: "List the channels on which the caller's account gets reminders",
            tag: .accounts,
            answers: [.json("Channels", "The channels, without their keys.")],
            problems: [.refused],
            handler: list
        ),
        Operation(
            method: .get,
            path: "/v1/channels/push-key",
            id: "readPushKey",
            summary: "Return the key for which a browser subscribes to push messages (RFC 8292)",
            tag: .accounts,
            answers: [.json("PushKey", "The public key, in base64url.")],
            problems: [.refused],
            handler: pushKey
        ),
        Operation(
            method: .post,
            path: "/v1/channels",
            id: "addChannel",
            summary: "Add a channel for reminders; the key of a webhook is shown only once",
            description: """
                Messages of a webhook are CloudEvents of the types `org.healthjournal.dose.due`, `dose.missed`, \
                `stock.low` and `interaction.found`, signed as the Standard Webhooks specification says: `webhook-signature` contains the \
                HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body. A message may arrive twice, with the \
                same `webhook-id`. Messages with names need the current password, and https unless they are sent to the \
                service's own machine. A browser's subscription has its endpoint as the address, and its keys; messages \
                to it are encrypted (RFC 8291). It must be for the key that `/v1/channels/push-key` returns.
                """,
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "NewChannel",
                examples: [
                    ("email", ["kind": "email", "address": "anna@example.org"]),
                    ("webhook", ["kind": "webhook", "address": "https://tool.example.org/hook", "detail": "names"]),
                    (
                        "webpush",
                        [
                            "kind": "webpush", "address": "https://push.example.org/subscription",
                            "p256dh": .string(ChannelRoutes.exampleKey), "auth": "BTBZMqHH6r4Tts7J_aSIgg",
                        ]
                    ),
                ]
            ),
            answers: [.json("MadeChannel", "The channel, and the key of a webhook.", status: 201)],
            problems: [.refused, .conflict],
            handler: add
        ),
        Operation(
            method: .delete,
            path: "/v1/channels/{channel}",
            id: "removeChannel",
            summary: "Remove a channel: no reminder is sent to it any more",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: remove
        ),
        Operation(
            method: .post,
            path: "/v1/channels/{channel}/test",
            id: "testChannel",
            summary: "Send a test message to a channel",
            tag: .accounts,
            answers: [AnswerDescription(status: 204, description: "The message was sent.")],
            problems: [.remoteFailed],
            handler: test
        ),
    ]

    static let schemas: [JSONValue.Member] = [
        .init("Channel", ChannelDocument.schema),
        .init("PushKey", OpenAPI.object(["key": ["type": "string"]])),
        .init("Channels", OpenAPI.list("channels", of: "Channel")),
        .init(
            "NewChannel",
            OpenAPI.object(
                [
                    "kind": JSONSchema.word(of: ReminderChannel.Kind.self),
                    "address": JSONSchema.lineText(maximum: Limits.channelAddress)
                        .merging([
                            "minLength": 1, "description": "An e-mail address or, for other kinds, a URL.",
                        ]),
                ],
                optional: [
                    "detail": JSONSchema.word(of: ReminderDetail.self), "current": OpenAPI.current,
                    "p256dh": ["type": "string", "description": "The public key of a browser, in base64url."],
                    "auth": ["type": "string", "description": "The secret of a browser, in base64url."],
                ]
            )
        ),
        .init(
            "MadeChannel",
            OpenAPI.object(
                ["id": JSONSchema.identifier, "position": JSONSchema.position],
                optional: [
                    "secret": ["type": "string", "description": "The key that signs the messages of a webhook."],
                    "warning": [
                        "type": "string",
                        "description": "Why nothing is sent to the channel until the operator changes the settings.",
                    ],
                ]
            )
        ),
    ]

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.requireCaller()
        let channels = try await journal.reminders.channels(caller)
        let troubles = services.reminders.monitor.troubles(of: caller.account)
        return Response([
            "channels": .array(
                channels.map {
                    ChannelDocument($0, warning: services.reminders.warning($0.channel, troubles)).json
                }
            )
        ])
    }

    private func pushKey(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.requireCaller()
        try await journal.access.require(.manageCredentials, ofAccount: caller.account, caller)
        return Response(["key": .string(try journal.reminders.publicPushKey())])
    }

    /// The public key of RFC 8291's example.
    private static let exampleKey =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"

    private func add(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["kind", "address", "detail", "current", "p256dh", "auth"])
        guard let kind = try document.word("kind", ReminderChannel.Kind.self) else {
            throw JournalError(.invalid, field: "kind", "is required")
        }
        let (key, secret) = (try document.text("p256dh"), try document.text("auth"))
        let keys = kind == .webpush ? try PushKeys(publicKey: key, authentication: secret) : nil
        let address = try document.text("address")
        let made = try await journal.reminders.addChannel(
            kind,
            address: address,
            detail: document.word("detail", ReminderDetail.self),
            push: keys,
            current: document.secret("current"),
            context.writer(request, body: document.bytes(without: "current"), reason: query[.reason])
        )
        return Response(
            .present([
                "id": .string(made.id.text), "secret": made.secret.map { .string($0) },
                "position": .integer(made.position),
                "warning": services.reminders.settings.obstacle(to: kind, at: address).map { .string("\($0.reason)") },
            ]),
            status: .created
        )
    }

    private func remove(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.reminders.removeChannel(context.channel(), caller).response()
    }

    private func test(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await services.reminders.test(context.channel(), of: journal, context.requireCaller())
        return Response(status: .noContent)
    }
}
