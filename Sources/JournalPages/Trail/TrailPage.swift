package import HealthModel

/// The page of the journal's events that the reader may see, from a position on.
package struct TrailPage: WebPage {
    package static let template = Template("trail")
    package static let events = 100

    package let fields: [FormField]
    package let events: [Event]
    package let isEmpty: Bool
    package let laterAddress: String?
    /// The address of the live feed of new events, with the requested filter.
    package let followAddress: String
    /// The names of the event types of the live feed.
    package let types = EventType.allCases.map(\.name).joined(separator: " ")
    /// Whether the reader may verify the log: auditors and administrators of the journal.
    package let mayVerify: Bool
    package let checkpoint: Checkpoint

    /// The size and the root hash of the log's signed checkpoint.
    package struct Checkpoint: Sendable {
        package let description: String
        package let root: String

        package init(size: UInt64, root: String, _ reader: Reader) {
            description = reader.words["checkpointSize", reader.number(size)]
            self.root = root
        }
    }

    /// One event, as far as the reader may see it.
    package struct Event: Sendable {
        package let position: UInt64
        package let what: String
        package let when: String
        package let iso: String
        package let who: String
        package let about: String?
        package let aboutAddress: String?
        package let reason: String?
        package let data: String?

        package init(
            position: UInt64,
            type: EventType,
            recordedAt: Instant,
            who: String,
            about: String?,
            record: String?,
            reason: String,
            data: String?,
            _ reader: Reader
        ) {
            self.position = position
            what = reader.words.label(type.label)
            when = reader.exactMoment(recordedAt)
            iso = recordedAt.description
            self.who = who
            self.about = about
            aboutAddress = record.map { "/trail?stream=\($0)" }
            self.reason = reason.isEmpty ? nil : reason
            self.data = data
        }
    }

    package init(
        _ events: [Event],
        fields: [FormField],
        followAddress: String,
        laterAddress: String?,
        mayVerify: Bool,
        _ checkpoint: Checkpoint
    ) {
        self.events = events
        self.fields = fields
        self.followAddress = followAddress
        self.laterAddress = laterAddress
        self.mayVerify = mayVerify
        self.checkpoint = checkpoint
        isEmpty = events.isEmpty
    }
}

/// The page of the result of verifying the whole log.
package struct VerificationPage: WebPage {
    package static let template = Template("verification")

    package let isSound: Bool
    package let heading: String
    package let findings: [LabelledText]
    package let faults: [Fault]

    package struct Fault: Sendable {
        package let position: UInt64
        package let what: String

        package init(position: UInt64, what: String) {
            self.position = position
            self.what = what
        }
    }

    package init(
        isSound: Bool,
        events: UInt64,
        root: String,
        seals: UInt64,
        erased: UInt64,
        checkpoint: UInt64?,
        faults: [Fault],
        seconds: String,
        _ reader: Reader
    ) {
        let words = reader.words
        self.isSound = isSound
        heading = words[isSound ? "logIsSound" : "logIsNotSound"]
        findings = [
            LabelledText(words["verifiedEvents"], reader.number(events)),
            LabelledText(words["verifiedRoot"], root),
            LabelledText(words["verifiedSeals"], reader.number(seals)),
            LabelledText(words["verifiedErased"], reader.number(erased)),
            LabelledText(
                words["verifiedCheckpoint"],
                checkpoint.map { words["verifiedCheckpointOf", reader.number($0)] } ?? words["nothing"]
            ),
            LabelledText(words["verifiedIn"], seconds),
        ]
        self.faults = faults
    }
}
