/// The subscription of the account was replaced.
package struct SubscriptionSet: EventData {
    package var subscription: Subscription

    package static var type: EventType { EventType(code: 91) }

    package static let definition = EventDefinition(
        "account.subscriptionSet",
        .account,
        "Subscription changed",
        sets: "subscription",
        { status, term, trialEnd in
            SubscriptionSet(subscription: Subscription(status: status, term: term, trialEnd: trialEnd))
        },
        EventField(1, "status", \.subscription.status),
        EventField(2, "type", \.subscription.term),
        EventField(3, "trialEnd", \.subscription.trialEnd)
    )

    package var summary: EventSummary { "the subscription of \(.account)" }
}

extension JournalEvent {
    package static func subscriptionSet(_ subscription: Subscription) -> JournalEvent {
        JournalEvent(SubscriptionSet(subscription: subscription))
    }
}
