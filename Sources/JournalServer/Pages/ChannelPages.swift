import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The page on which a person chooses where reminders are sent.
struct ChannelPages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get("settings/channels", use: list)
        group.post("settings/channels", use: add)
        group.post("settings/channels/:channel/remove", use: remove)
        group.post("settings/channels/:channel/test", use: test)
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["done", "unsent"])
        var typed = ChannelsPage.Typed()
        if query["unsent"] == "1" { typed.testProblem = pages.words(request, context)["channelUnsent"] }
        return try await response(request, context, typed: typed, notice: pages.notice(query, request, context))
    }

    private func response(
        _ request: Request,
        _ context: ServerContext,
        typed: ChannelsPage.Typed = ChannelsPage.Typed(),
        problems: [String: String] = [:],
        key: String? = nil,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) async throws -> Response {
        let reader = pages.reader(request, context)
        let caller = try context.requireCaller()
        let channels = try await journal.channels(caller)
        var confirmation = try pages.confirmation(caller, reader, problems, isNeeded: false)
        for index in confirmation.indices { confirmation[index].hint = reader.words["hint.confirmNames"] }
        let page = ChannelsPage(
            channels.map { ChannelDocument($0) },
            typed: typed,
            deliveries: deliveries(channels.map(\.channel), of: caller),
            sendsEmail: pages.reminders.settings.sendmail != nil,
            confirmation: confirmation,
            pushKey: pages.reminders.settings.hosts.isEmpty ? nil : try journal.publicPushKey(),
            key: key ?? pages.key(),
            reader
        )
        return pages.response(page, reader.words["channels"], request, context, status: status, notice: notice)
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

    @Sendable private func add(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        _ = try Query(request, [])
        let form = try await request.pageForm()
        do {
            guard let kind = ReminderChannel.Kind(rawValue: form["channel"]) else {
                throw JournalError(.invalid, field: "channel", "must be chosen")
            }
            let keys =
                kind == .webpush ? try PushKeys(publicKey: form["p256dh"], authentication: form["auth"]) : nil
            let made = try await journal.addChannel(
                kind,
                address: form["address"].trimming(\.isWhitespace),
                detail: ReminderDetail(rawValue: form["detail"]),
                push: keys,
                current: form.values["current"].flatMap { $0.isEmpty ? nil : $0 },
                context.writer(form, request)
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
            return pages.response(page, reader.words["webhookKey"], request, context)
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
                request,
                context,
                typed: typed,
                problems: problems,
                key: pages.key(form),
                status: .badRequest
            )
        }
    }

    @Sendable private func test(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        _ = try Query(request, [])
        _ = try await request.pageForm()
        do {
            try await pages.reminders.test(context.channel(), of: journal, context.requireCaller())
            return Pages.redirect(to: "/settings/channels?done=channelTested")
        } catch let error as JournalError where [.remoteFailed, .refused, .busy].contains(error.code) {
            var typed = ChannelsPage.Typed()
            typed.testProblem = reader.words.sentence(error.text)
            return try await response(request, context, typed: typed, status: Problem(error).status)
        }
    }

    @Sendable private func remove(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let form = try await request.pageForm()
        _ = try await journal.removeChannel(context.channel(), context.writer(form, request))
        return Pages.redirect(to: "/settings/channels?done=channelRemoved")
    }
}
