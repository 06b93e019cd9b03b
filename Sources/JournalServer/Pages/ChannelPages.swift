import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The page on which a person chooses where reminders are sent.
struct ChannelPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("settings/channels", query: ["done", "unsent"], list)
        routes.post("settings/channels", add)
        routes.post("settings/channels/:channel/remove", remove)
        routes.post("settings/channels/:channel/test", test)
    }

    @Sendable private func list(_ visit: PageVisit) async throws -> Response {
        var typed = ChannelsPage.Typed()
        if visit.query["unsent"] == "1" { typed.testProblem = visit.words["channelUnsent"] }
        return try await response(visit, typed: typed)
    }

    private func response(
        _ visit: PageVisit,
        typed: ChannelsPage.Typed = ChannelsPage.Typed(),
        problems: [String: String] = [:],
        key: String? = nil,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) async throws -> Response {
        let reader = visit.reader
        let caller = try visit.caller
        let channels = try await journal.reminders.channels(caller)
        var confirmation = try pages.confirmation(caller, reader, problems, isNeeded: false)
        for index in confirmation.indices { confirmation[index].hint = reader.words["hint.confirmNames"] }
        let page = ChannelsPage(
            channels.map { ChannelDocument($0) },
            typed: typed,
            deliveries: deliveries(channels.map(\.channel), of: caller),
            sendsEmail: pages.reminders.settings.sendmail != nil,
            confirmation: confirmation,
            pushKey: pages.reminders.settings.hosts.isEmpty ? nil : try journal.reminders.publicPushKey(),
            key: key ?? pages.key(),
            reader
        )
        return visit.response(page, reader.words["channels"], status: status, notice: notice)
    }

    /// The known state of the deliveries to each channel.
    private func deliveries(_ channels: [ReminderChannel], of caller: Caller) -> [UUID: ChannelsPage.Delivery] {
        let troubles = pages.reminders.monitor.troubles(of: caller.account)
        var found: [UUID: ChannelsPage.Delivery] = [:]
        for channel in channels {
            var delivery = ChannelsPage.Delivery()
            delivery.obstacle = pages.reminders.settings.obstacle(to: channel.kind, at: channel.address)?.reason
            if let trouble = troubles[channel.id] {
                delivery.waiting = trouble.lateSince.map { (trouble.waiting, $0) }
                delivery.lapsed = trouble.lapsedAt.map { (trouble.lapsed, $0) }
                delivery.failure = trouble.failure
            }
            found[channel.id] = delivery
        }
        return found
    }

    @Sendable private func add(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let form = try await visit.form()
        do {
            guard let kind = ReminderChannel.Kind(rawValue: form["channel"]) else {
                throw JournalError(.invalid, field: "channel", "must be chosen")
            }
            let keys =
                kind == .webpush ? try PushKeys(publicKey: form["p256dh"], authentication: form["auth"]) : nil
            let made = try await journal.reminders.addChannel(
                kind,
                address: form["address"].trimming(\.isWhitespace),
                detail: ReminderDetail(rawValue: form["detail"]),
                push: keys,
                current: form.values["current"].flatMap { $0.isEmpty ? nil : $0 },
                visit.writer(form)
            )
            // Whoever is told "✓ Added" relies on it.
            let address = form["address"].trimming(\.isWhitespace)
            let isSent = pages.reminders.settings.obstacle(to: kind, at: address) == nil
            let done = isSent ? "/settings/channels?done=channelNew" : "/settings/channels?unsent=1"
            guard let secret = made.secret else { return Pages.redirect(to: done) }
            let page = SecretPage(
                heading: reader.words["webhookKey"],
                secret: secret,
                hint: reader.words["webhookKeyHint"],
                done: isSent ? "/settings/channels" : done
            )
            return visit.response(page, reader.words["webhookKey"])
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm || error.field == "current" else { throw error }
            var typed = ChannelsPage.Typed()
            typed.detail = form["detail"]
            if form["channel"] != ReminderChannel.Kind.webpush.rawValue {
                (typed.kind, typed.address) = (form["channel"], form["address"])
            }
            var problems: [String: String] = [:]
            if error.field == "current" {
                problems["current"] = reader.words.sentence(error.text)
            } else {
                typed.problem = reader.words.sentence(error.text, of: error.field)
            }
            return try await response(
                visit,
                typed: typed,
                problems: problems,
                key: pages.key(form),
                status: .badRequest
            )
        }
    }

    @Sendable private func test(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        _ = try await visit.form()
        do {
            try await pages.reminders.test(visit.channel(), of: journal, visit.caller)
            return Pages.redirect(to: "/settings/channels?done=channelTested")
        } catch let error as JournalError where [.remoteFailed, .refused, .busy].contains(error.code) {
            var typed = ChannelsPage.Typed()
            typed.testProblem = reader.words.sentence(error.text)
            return try await response(visit, typed: typed, status: Problem(error).status)
        }
    }

    @Sendable private func remove(_ visit: PageVisit) async throws -> Response {
        let form = try await visit.form()
        _ = try await journal.reminders.removeChannel(visit.channel(), visit.writer(form))
        return Pages.redirect(to: "/settings/channels?done=channelRemoved")
    }
}
