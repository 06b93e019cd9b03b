/// The subscription of an account to a service that requires one.
package struct Subscription: Hashable, Sendable {
    package enum Status: String, EventChoice {
        case trial, active, expired

        package var name: String { rawValue }
    }

    /// How often it is paid for.
    package enum Term: String, EventChoice {
        case monthly, annual

        package var name: String { rawValue }
    }

    package var status: Status
    package var term: Term?
    /// The first moment at which a trial is over; nil if it has no end.
    package var trialEnd: Instant?

    package init(status: Status, term: Term? = nil, trialEnd: Instant? = nil) {
        self.status = status
        self.term = term
        self.trialEnd = trialEnd
    }

    /// Reports whether the subscription is over: it has expired, or was a trial that has ended.
    package func isOver(at now: Instant) -> Bool {
        switch status {
        case .expired: true
        case .trial: trialEnd.map { $0 <= now } ?? false
        case .active: false
        }
    }
}

extension Subscription: FieldDescribed {
    private static let status = Field(1, "status", "Status", Status.fieldType, isRequired: true)
    private static let term = Field(2, "type", "Type", Term.fieldType)
    private static let trialEnd = Field(3, "trialEnd", "End of the trial", .instant)

    package static let fields = [status, term, trialEnd]

    package init(values: FieldValues) {
        self.init(
            status: Status(fieldValue: values[Subscription.status]) ?? .active,
            term: Term(fieldValue: values[Subscription.term]),
            trialEnd: Instant(fieldValue: values[Subscription.trialEnd])
        )
    }

    package var values: FieldValues {
        var values = FieldValues()
        values[Subscription.status] = status.fieldValue
        values[Subscription.term] = term.fieldValue
        values[Subscription.trialEnd] = trialEnd.fieldValue
        return values
    }

    package func check() throws(ModelError) {}
}
