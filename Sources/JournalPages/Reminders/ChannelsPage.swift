package import FoundationEssentials
package import HealthModel
package import Interchange

/// The page of the channels on which an account gets reminders, and the form that adds one.
package struct ChannelsPage: WebPage {
    package static let template = Template("channels")

    package let channels: [ShownChannel]
    package let isEmpty: Bool
    package let fields: [FormField]
    let refusal: FormRefusal?
    package let isRefused: Bool
    package let testProblem: String?
    /// That the service sends no e-mail; nil if it does.
    package let noEmail: String?
    package let key: String
    /// The form for messages to this device; nil if the operator permits no host.
    package let device: DeviceForm?

    /// The form that a script shows in a browser that can receive messages.
    package struct DeviceForm: Sendable {
        package let key: String
        package let fields: [FormField]
    }

    package struct ShownChannel: Sendable {
        package let id: String
        package let kind: String
        package let address: String
        package let description: String
        /// Why nothing is sent to it, or which reminders were late; nil if nothing is known.
        package let warning: String?
    }

    /// The known state of the deliveries to one channel.
    package struct Delivery: Sendable {
        /// Why nothing can be sent to it.
        package var obstacle: Message?
        /// The reminders that wait, and since when the oldest of them is due.
        package var waiting: (count: Int, since: Instant)?
        /// How many reminders were not sent in time, and when the last of them.
        package var lapsed: (count: Int, at: Instant)?
        /// Why the last attempt failed.
        package var failure: Message?

        package init() {}

        func text(_ reader: Reader) -> String? {
            let words = reader.words
            if let obstacle { return words.sentence(obstacle) }
            let parts = [
                waiting.map { words["remindersWait", String($0.count), reader.moment($0.since)] },
                lapsed.map { words["remindersLapsed", String($0.count), reader.moment($0.at)] },
                waiting == nil && lapsed == nil ? nil : failure.map { words.sentence($0) },
            ]
            .compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: " ")
        }
    }

    /// The values of a form that is shown again.
    package struct Typed: Sendable {
        package var kind = ""
        package var address = ""
        package var detail = ""
        package var problem: String?
        /// Why a test message was not sent.
        package var testProblem: String?

        package init() {}
    }

    /// Creates the page; `confirmation` is the field for the password of the account, if it has one, and `pushKey` the
    /// key for which browsers subscribe.
    package init(
        _ channels: [ChannelDocument],
        typed: Typed = Typed(),
        deliveries: [UUID: Delivery] = [:],
        sendsEmail: Bool = true,
        confirmation: [FormField],
        pushKey: String?,
        key: String,
        _ reader: Reader
    ) {
        let words = reader.words
        self.key = key
        self.channels = channels.map { channel in
            ShownChannel(
                id: channel.id.text,
                kind: words["channel.\(channel.kind.rawValue)"],
                // The address of a browser tells a person nothing, except whose it is.
                address: channel.kind == .webpush ? URL(string: channel.address)?.host() ?? "" : channel.address,
                description: words[
                    "channelAdded",
                    reader.day(of: channel.addedAt),
                    words["detail.\(channel.detail.rawValue)"]
                ],
                warning: deliveries[channel.id]?.text(reader)
            )
        }
        isEmpty = channels.isEmpty
        var address = FormField("address", words["field.address"], .line, value: typed.address)
        address.isRequired = true
        address.hint = words["hint.channelAddress"]
        noEmail = sendsEmail ? nil : words["noEmailHere"]
        var kinds = FormField(choosing: ReminderChannel.Kind.self, "channel", chosen: typed.kind, reader)
        // A browser is added by the browser itself.
        kinds.options?.removeAll { $0.value == ReminderChannel.Kind.webpush.rawValue }
        fields =
            [
                kinds, address,
                FormField(choosing: ReminderDetail.self, "detail", chosen: typed.detail, reader),
            ] + confirmation
        refusal = FormRefusal(typed.problem, fields)
        isRefused = refusal != nil
        testProblem = typed.testProblem
        device = pushKey.map { key in
            DeviceForm(
                key: key,
                fields: ([FormField(choosing: ReminderDetail.self, "detail", reader)] + confirmation)
                    .map { $0.placed(in: "device") }
            )
        }
    }
}
