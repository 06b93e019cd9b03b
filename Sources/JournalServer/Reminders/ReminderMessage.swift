import Crypto
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// A message to a channel.
struct ReminderMessage: Sendable {
    /// The same for each attempt to send one reminder, so that a receiver can tell whether it got it before.
    let id: UUID
    /// Why it is sent; nil for a test.
    let cause: ReminderCause?
    let text: String
    /// The title of a notification.
    let title: String
    /// The subject of an e-mail.
    let subject: String
    /// The path of the page that the text refers to.
    let path: String
    /// The address by which browsers reach the service; nil if it is not known.
    let site: String?
    let at: Instant
    /// The id that messages about one subject share; nil for a test.
    var topic: UUID?
    /// When it is of no more use to deliver the message; nil for a day after it is sent.
    var ends: Instant?

    var link: String? { site.map { $0 + path } }

    /// The message as an e-mail to an address (RFC 5322).
    func email(to address: String) -> String {
        let body = link.map { "\(text)\n\n\($0)\n" } ?? "\(text)\n"
        return [
            "To: \(address)", "Subject: \(subject.encodedWord)",
            "Message-ID: <\(id.text)@healthjournal>",
            // Keeps programs from answering it (RFC 3834).
            "Auto-Submitted: auto-generated", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64", "",
            Data(body.utf8).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed]), "",
        ]
        .joined(separator: "\n")
    }

    /// The message as a CloudEvent.
    var cloudEvent: [UInt8] {
        var data: [JSONValue.Member] = [.init("text", .string(text))]
        if let link { data.append(.init("link", .string(link))) }
        let type = CloudEvent.ownType(cause.map(\.name) ?? CloudEvent.reminderTest)
        return JSONWriter.bytes([
            "specversion": "1.0", "id": .string(id.text), "source": "healthjournal",
            "type": .string(type), "time": .string(at.description),
            "datacontenttype": "application/json", "data": .object(data),
        ])
    }

    /// The message as the service worker of the pages reads it.
    var pushed: [UInt8] {
        JSONWriter.bytes(
            .present([
                "title": .string(title), "text": .string(text),
                "path": .string(path.isEmpty ? "/" : path), "tag": topic.map { .string($0.text) },
            ])
        )
    }

    /// The headers of a message to the push service of a browser (RFC 8030).
    var pushHeaders: [(String, String)] {
        let until = ends ?? at.adding(minutes: 1_440)
        let seconds = max(60, (until.microseconds - at.microseconds) / Instant.microsecondsPerSecond)
        let isUrgent = cause != .stockLow
        var headers = [
            ("content-type", "application/octet-stream"), ("content-encoding", WebPush.coding),
            ("ttl", String(seconds)), ("urgency", isUrgent ? "high" : "normal"),
        ]
        // A topic has at most 32 characters of base64url.
        if let topic { headers.append(("topic", topic.text.replacing("-", with: ""))) }
        return headers
    }

    /// The headers that sign a body, as the Standard Webhooks specification says.
    func signature(of body: [UInt8], with key: [UInt8], at time: Instant) -> [(String, String)] {
        let seconds = time.microseconds / Instant.microsecondsPerSecond
        var code = HMAC<SHA256>(key: SymmetricKey(data: key))
        code.update(data: Array("\(id.text).\(seconds).".utf8))
        code.update(data: body)
        return [
            ("webhook-id", id.text), ("webhook-timestamp", String(seconds)),
            ("webhook-signature", "v1,\(Data(code.finalize()).base64EncodedString())"),
        ]
    }
}

extension String {
    /// The text in the form that an e-mail header requires: unchanged if it is ASCII, otherwise an encoded word (RFC 2047).
    fileprivate var encodedWord: String {
        utf8.allSatisfy { $0 < 0x80 } ? self : "=?utf-8?B?\(Data(utf8).base64EncodedString())?="
    }
}
