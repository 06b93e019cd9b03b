import AsyncHTTPClient
import Crypto
package import Foundation
package import HealthJournal
import HealthModel
import Interchange
package import JournalPages
import NIOCore
import NIOHTTP1
import NIOSSL

/// Sends messages to channels: e-mail through a program of the machine, everything else by HTTP.
package struct ReminderSender: Sendable {
    let settings: ReminderSettings
    let limits: ReminderLimits
    /// Counts late and failed reminders, for the metrics and the pages.
    let monitor: ReminderMonitor
    private let languages: Languages

    package init(
        _ settings: ReminderSettings,
        _ languages: Languages = .builtIn,
        limits: ReminderLimits = ReminderLimits()
    ) {
        (self.settings, self.languages, self.limits) = (settings, languages, limits)
        monitor = ReminderMonitor(limits)
    }

    /// The texts in the language that an account prefers.
    private func words(for account: UUID, of journal: Journal) -> Words {
        let language = (try? journal.accounts.account(account).preferences.language) ?? ""
        return languages.language(of: language.isEmpty ? [] : [language]).words
    }

    /// Sends a reminder.
    func send(_ outgoing: OutgoingReminder, of journal: Journal, at now: Instant) async throws(ReminderFailure) {
        let words = words(for: outgoing.reminder.account, of: journal)
        let message = ReminderMessage(
            id: outgoing.reminder.id,
            cause: outgoing.reminder.subject.cause,
            text: words.message(recognizing: outgoing.text),
            title: words.message(recognizing: ReminderText.calendarName),
            subject: words["reminderSubject"],
            path: "/records/\(outgoing.record.text)/\(outgoing.reminder.subject.cause.page)",
            site: settings.publicURL,
            at: now,
            topic: outgoing.reminder.topic,
            ends: outgoing.reminder.ends
        )
        try await send(message, to: outgoing.reminder.channel, of: journal)
    }

    /// Returns why nothing is sent to a channel, or why something was sent late or not at all; nil if nothing is known.
    func warning(_ channel: ReminderChannel, _ troubles: [UUID: ReminderMonitor.Channel]) -> String? {
        if let obstacle = settings.obstacle(to: channel.kind, at: channel.address) { return "\(obstacle.reason)" }
        guard let trouble = troubles[channel.id] else { return nil }
        var parts: [String] = []
        if trouble.waiting > 0 { parts.append("reminders that wait: \(trouble.waiting)") }
        if trouble.lapsed > 0 { parts.append("reminders that were not sent in time: \(trouble.lapsed)") }
        return (parts + [trouble.failure].compactMap { $0?.description }).joined(separator: "; ")
    }

    /// Sends a test message to a channel of the caller's account.
    package func test(_ channel: UUID, of journal: Journal, _ caller: Caller) async throws {
        let found = try await journal.reminders.channelToTest(channel, caller)
        let words = words(for: caller.account, of: journal)
        let message = ReminderMessage(
            id: UUID(),
            cause: nil,
            text: words.message(recognizing: ReminderText.test),
            title: words.message(recognizing: ReminderText.calendarName),
            subject: words["testSubject"],
            path: "",
            site: settings.publicURL,
            at: journal.now
        )
        do {
            try await send(message, to: found, of: journal)
        } catch {
            switch error {
            case .ended(let why):
                try await journal.reminders.endChannel(found.id, of: caller.account)
                throw JournalError(.remoteFailed, why)
            case .notAllowed(let why): throw try await journal.reminders.refuseTest(of: found, reason: why, caller)
            case .silent(let why), .rejected(let why): throw JournalError(.remoteFailed, why)
            }
        }
    }

    private func send(
        _ message: ReminderMessage,
        to channel: ReminderChannel,
        of journal: Journal
    ) async throws(ReminderFailure) {
        switch channel.kind {
        case .email:
            guard let program = settings.sendmail else {
                throw .notAllowed(ReminderObstacle.noEmail.reason)
            }
            try await Sendmail(program: program, patience: limits.mailPatience)
                .send(message.email(to: channel.address), to: channel.address)
        case .ntfy:
            var headers = HTTPHeaders([("content-type", "text/plain; charset=utf-8")])
            // The header of ntfy for the page that opens when the notification is tapped.
            if let link = message.link { headers.add(name: "click", value: link) }
            try await post(Array(message.text.utf8), headers, to: channel.address)
        case .webhook:
            let body = message.cloudEvent
            var headers = HTTPHeaders([("content-type", "application/cloudevents+json; charset=utf-8")])
            headers.add(contentsOf: HTTPHeaders(message.signature(of: body, with: channel.secret, at: message.at)))
            try await post(body, headers, to: channel.address)
        case .webpush:
            let (body, headers) = try push(message, to: channel, of: journal)
            try await post(body, headers, to: channel.address)
        }
    }

    /// Encrypts a message for a browser, and signs it for the browser's push service.
    private func push(
        _ message: ReminderMessage,
        to channel: ReminderChannel,
        of journal: Journal
    ) throws(ReminderFailure) -> ([UInt8], HTTPHeaders) {
        do {
            guard let keys = channel.pushKeys, let url = URL(string: channel.address), let scheme = url.scheme,
                let host = url.host(percentEncoded: true)
            else { throw ReminderFailure.rejected("the channel has no keys") }
            let key = try P256.Signing.PrivateKey(rawRepresentation: journal.reminders.pushKey())
            let port = url.port.map { ":\($0)" } ?? ""
            var headers = HTTPHeaders(message.pushHeaders)
            headers.add(
                name: "authorization",
                value: try WebPush.authorization(
                    key,
                    for: "\(scheme)://\(host)\(port)",
                    contact: settings.publicURL.flatMap { $0.hasPrefix("https:") ? $0 : nil },
                    at: journal.now
                )
            )
            return (try WebPush.encrypt(message.pushed, for: keys), headers)
        } catch {
            throw .rejected("the message to the browser cannot be encrypted")
        }
    }

    private func post(_ body: [UInt8], _ headers: HTTPHeaders, to address: String) async throws(ReminderFailure) {
        let notAllowed = ReminderFailure.notAllowed(ReminderObstacle.hostNotNamed.reason)
        guard let url = URL(string: address), let host = url.host(), settings.hosts.allows(host: host) else {
            throw notAllowed
        }
        let end = ContinuousClock.now + limits.patience
        let target: IPAddress?
        do {
            target = try await settings.hosts.address(of: host, port: url.port ?? 443, within: limits.patience)
        } catch {
            throw .silent("the name of the channel's host cannot be resolved")
        }
        guard let target else { throw notAllowed }
        do {
            try await post(body, headers, to: address, host, at: target, until: end)
        } catch let error as ReminderFailure {
            throw error
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .connectTimeout {
            throw .silent("the channel does not answer within \(limits.patience.components.seconds) seconds")
        } catch is NIOSSLError {
            throw .silent("no secure connection to the channel's host can be made")
        } catch {
            throw .silent("the channel does not answer")
        }
    }

    /// Sends a request to the address that was checked, whatever the name leads to by then.
    private func post(
        _ body: [UInt8],
        _ headers: HTTPHeaders,
        to address: String,
        _ host: String,
        at target: IPAddress,
        until end: ContinuousClock.Instant
    ) async throws {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        if IPAddress(host) == nil { configuration.dnsOverride = [host: target.description] }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var request = HTTPClientRequest(url: address)
        request.method = .POST
        request.headers = headers
        request.body = .bytes(ByteBuffer(bytes: body))
        let result: Result<HTTPResponseStatus, any Error>
        do {
            let patience = TimeAmount(max(.milliseconds(1), end - .now))
            result = .success(try await client.execute(request, timeout: patience).status)
        } catch {
            result = .failure(error)
        }
        try? await client.shutdown()
        let status = try result.get()
        if [.notFound, .gone].contains(status), headers.contains(name: "ttl") {
            throw ReminderFailure.ended("the browser has ended the subscription, and the channel was removed")
        }
        guard !(200..<300).contains(status.code) else { return }
        let answer: Message = "the channel answers with the status \(status.code) (\(status.reasonPhrase))"
        // The host cannot serve anybody now, or asks for fewer requests.
        throw status.code >= 500 || status == .tooManyRequests
            ? ReminderFailure.silent(answer) : ReminderFailure.rejected(answer)
    }
}

extension ReminderCause {
    /// The page of a record that a reminder refers to.
    fileprivate var page: String { self == .interactionFound ? "interactions" : "today" }
}

/// Why a message was not sent; contains neither its text nor the address of the channel.
enum ReminderFailure: Error, Hashable {
    /// The operator does not permit the destination.
    case notAllowed(Message)
    /// The host gave no usable answer; it may do so later.
    case silent(Message)
    /// The host, or the program of e-mail, did not accept this message; it may do so later.
    case rejected(Message)
    /// The browser has ended its subscription.
    case ended(Message)

    /// The reason in words.
    var reason: Message {
        switch self {
        case .notAllowed(let why), .silent(let why), .rejected(let why), .ended(let why): why
        }
    }
}
