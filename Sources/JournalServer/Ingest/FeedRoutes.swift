import EventLog
import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import NIOCore
import ServiceLifecycle

/// The feed of the log's events that the caller may see: as a page of NDJSON, or live as server-sent events.
struct FeedRoutes: Routes {
    let services: Services

    /// Events of one page of a live feed, which bounds the memory of a feed.
    private static let livePage = 64
    /// How long events of one page may be sent before the caller's access is checked again.
    private static let recheck = Duration.milliseconds(500)

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/events",
            id: "followEvents",
            summary: "Read the events of the log that the account may see, by page or as they are recorded",
            description: """
                A page has one line per event, each a CloudEvent 1.0. With `Accept: text/event-stream` events are \
                sent as they are recorded, from the end of the log, or after `after` or `Last-Event-ID`; the \
                stream ends with an event `problem` when the account loses access to what it saw. The open streams \
                of an account and of the service are limited; one more is answered with 429.
                """,
            tag: .ingest,
            parameters: [.after, .stream, .types, .limit, .lastEventID],
            answers: [
                AnswerDescription(
                    description: "Events. `Link` is the address of the next page.",
                    content: [("application/x-ndjson", "Lines"), ("text/event-stream", "Text")],
                    optionalHeaders: [.link]
                )
            ],
            problems: [.refused, .notFound, .erased],
            handler: events
        )
    ]

    private func events(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let asked = FeedQuery(
            stream: try query.stream,
            types: try query.value(.types) { text throws(ModelError) in try FeedQuery.types(named: text) },
            limit: try query.integer(.limit) ?? Paging.usual
        )
        let named = try query.integer(.after).map(UInt64.init)
        let after = try lastSeen(request) ?? named
        if request.headers.value(of: .accept)?.contains("text/event-stream") ?? false {
            return try await live(request, after, asked, context)
        }
        let page = try await journal.feeds.feed(after: after ?? 0, asked, context.requireCaller())
        var response = Response(page.events.flatMap { JSONWriter.bytes($0.json) + [0x0A] }, type: .lines)
        // Also if no event was visible: the next page starts after the positions that were examined.
        var parts = ["after=\(page.through)", "limit=\(asked.limit)"]
        for parameter in [Parameter.stream, .types] {
            if let value = query[parameter] { parts.append("\(parameter.name)=\(value.percentEncoded)") }
        }
        response.headers[.link] = "</v1/events?\(parts.joined(separator: "&"))>; rel=\"next\""
        return response
    }

    /// The position of the last event that the client received before it was disconnected.
    private func lastSeen(_ request: Request) throws -> UInt64? {
        guard let last = request.headers.value(of: .lastEventID) else { return nil }
        guard (1...18).contains(last.utf8.count), last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw JournalError(.invalid, field: "Last-Event-ID", "must be a position from the feed")
        }
        return UInt64(last)
    }

    private func live(
        _ request: Request,
        _ after: UInt64?,
        _ asked: FeedQuery,
        _ context: ServerContext
    ) async throws -> Response {
        let caller = try context.requireCaller()
        let slot = try services.streams.acquire(for: caller.account)
        let begin = try after ?? journal.head()
        var query = asked
        query.limit = FeedRoutes.livePage
        let feed = try journal.feeds.follow(after: begin, query, renewing: context.requireRenewal())
        // Errors are reported by the status before the stream begins.
        var iterator = feed.makeAsyncIterator()
        let first = try await iterator.begin()
        let stream = LiveFeed(
            iterator: iterator,
            first: first,
            begin: begin,
            heartbeat: services.ingest.heartbeat,
            slot: slot
        )
        return Response(
            status: .ok,
            headers: [.contentType: AnswerType.eventStream.rawValue, .cacheControl: "no-store"],
            body: ResponseBody { writer in try await FeedRoutes.send(stream, &writer) }
        )
    }

    private struct LiveFeed: Sendable {
        let iterator: EventFeed.AsyncIterator
        let first: FeedPage
        let begin: UInt64
        let heartbeat: Duration
        /// Held until the response ends.
        let slot: ConcurrencyLimiter.Slot
    }

    @concurrent private static func send(_ stream: LiveFeed, _ writer: inout any ResponseBodyWriter) async throws {
        var iterator = stream.iterator
        // The position at which a client resumes if it is disconnected before the first event.
        try await writer.write(ByteBuffer(string: "retry: 1000\nid: \(stream.begin)\n\n"))
        var (page, sent): (FeedPage?, _) = (stream.first, ContinuousClock.now)
        do {
            while let events = page?.events, !Task.isShuttingDownGracefully {
                var checked = ContinuousClock.now
                for event in events {
                    if ContinuousClock.now - checked > recheck {
                        try await iterator.check()
                        checked = .now
                    }
                    try await writer.write(ByteBuffer(string: event.sent))
                    sent = .now
                }
                if ContinuousClock.now - sent > stream.heartbeat {
                    try await writer.write(ByteBuffer(string: ":\n\n"))
                    sent = .now
                }
                page = try await iterator.next()
            }
        } catch let error as JournalError {
            // Reported to the client, which may reconnect for what it may still see.
            let problem = JSONWriter.text(Problem(error).json)
            try await writer.write(ByteBuffer(string: "event: problem\ndata: \(problem)\n\n"))
        }
        try await writer.finish(nil)
    }
}

extension FeedEvent {
    /// The event as a block of `text/event-stream`; compact JSON contains no line breaks.
    fileprivate var sent: String { "id: \(position)\nevent: \(type.name)\ndata: \(JSONWriter.text(json))\n\n" }
}

extension String {
    /// The text with all characters but the unreserved ones of RFC 3986, section 2.3, as percent signs and digits.
    var percentEncoded: String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += ("%" + (digits.count == 1 ? "0" : "") + digits).utf8
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
