import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalOperation where Result == NewCalendar {
    static func linkCalendar(
        to source: CalendarSource,
        detail: ReminderDetail,
        times: CalendarLink.Times,
        current: String?
    ) -> Self {
        Self {
            try await $0.journal.reminders.linkCalendar(
                to: source,
                showsNames: detail.showsNames,
                times: times,
                current: current,
                $0.caller
            )
        } remote: {
            let body: JSONValue = .present([
                "detail": .string(detail.rawValue), "times": .string(times.name),
                "current": current.map { .string($0) },
            ])
            return try await $0.client.send($0.once(.post, at: source.path, body: body))
                .read { made throws(ModelError) in
                    let name = try made.required("path").split(separator: "/").last ?? ""
                    return NewCalendar(
                        secret: String(name.dropLast(4)),
                        id: try made.id("id"),
                        position: try made.number("position")
                    )
                }
        }
    }
}

extension JournalOperation where Result == [CalendarDocument] {
    static func calendars(of source: CalendarSource) -> Self {
        Self {
            let journal = $0.journal
            return try await journal.reminders.calendars(of: source, $0.caller).map { journal.document(of: $0) }
        } remote: {
            try await $0.list("calendars", ServiceRequest(method: .get, path: source.path))
        }
    }
}

extension JournalOperation where Result == [UInt8] {
    /// Returns the planned doses of a record as a calendar.
    static func calendar(of record: UUID, _ options: CalendarOptions) -> Self {
        Self {
            Array(try await $0.journal.reminders.calendar(of: record, options, $0.caller).text.utf8)
        } remote: {
            let query: [(name: String, value: String?)] = [
                ("detail", ReminderDetail(showsNames: options.showsNames).rawValue), ("times", options.times.name),
                ("as", options.components.rawValue.lowercased()),
            ]
            return try await $0.client.send(.get("records", record.text, "calendar", query: query)).bytes
        }
    }
}

extension JournalOperation where Result == WriteResult {
    static func unlinkCalendar(_ calendar: UUID, of source: CalendarSource) -> Self {
        Self {
            try await $0.journal.reminders.unlinkCalendar(calendar, of: source, $0.caller)
        } remote: {
            let path = source.path + [calendar.text]
            return try await $0.write(.write(.delete, at: path, query: $0.reasonQuery))
        }
    }

    static func removeChannel(_ channel: UUID) -> Self {
        Self {
            try await $0.journal.reminders.removeChannel(channel, $0.caller)
        } remote: {
            try await $0.write(.write(.delete, "channels", channel.text, query: $0.reasonQuery))
        }
    }
}

extension JournalOperation where Result == NewChannel {
    static func addChannel(
        _ kind: ReminderChannel.Kind,
        address: String,
        detail: ReminderDetail?,
        push: (key: String, secret: String)?,
        current: String?
    ) -> Self {
        Self {
            try await $0.journal.reminders.addChannel(
                kind,
                address: address,
                detail: detail,
                push: push.map { keys throws(JournalError) in
                    try PushKeys(publicKey: keys.key, authentication: keys.secret)
                },
                current: current,
                $0.caller
            )
        } remote: {
            let body: JSONValue = .present([
                "kind": .string(kind.name), "address": .string(address),
                "detail": detail.map { .string($0.rawValue) }, "current": current.map { .string($0) },
                "p256dh": push.map { .string($0.key) }, "auth": push.map { .string($0.secret) },
            ])
            return try await $0.client.send($0.once(.post, "channels", body: body))
                .read { made throws(ModelError) in
                    NewChannel(
                        id: try made.id("id"),
                        secret: try made.text("secret"),
                        position: try made.number("position"),
                        warning: try made.text("warning")
                    )
                }
        }
    }
}

extension JournalOperation where Result == [ChannelDocument] {
    static var channels: Self {
        Self {
            try await $0.journal.reminders.channels($0.caller).map { ChannelDocument($0) }
        } remote: {
            try await $0.list("channels", .get("channels"))
        }
    }
}

extension JournalOperation where Result == String {
    /// Returns the key for which browsers subscribe to push messages.
    static var pushKey: Self {
        Self {
            try $0.journal.reminders.publicPushKey()
        } remote: {
            try await $0.client.send(.get("channels", "push-key"))
                .read { answer throws(ModelError) in try answer.required("key") }
        }
    }
}

extension CalendarSource {
    /// The path of the calendars, below that of the service.
    fileprivate var path: [String] {
        switch self {
        case .doses(let record): ["records", record.text, "calendars"]
        case .appointments(let specialist, let practice):
            ["practices", practice.text, "specialists", specialist.text, "calendars"]
        }
    }
}
