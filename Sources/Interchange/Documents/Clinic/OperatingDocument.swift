package import FoundationEssentials
package import HealthModel

/// Whether a practice is open at a moment, and whether it can treat what needs a specialty.
package struct OperatingDocument: DefinedDocument, Hashable {
    package var at: Instant
    package var state: State
    /// The end of the hours, while the practice is open.
    package var until: Instant?
    /// The next opening within a year, while it is closed.
    package var next: Instant?
    package var specialty: Specialty?
    package var position: UInt64

    package enum State: String, CaseIterable, Sendable {
        case open, emergencyOnly, closed
    }

    package struct Specialty: DefinedDocument, Hashable {
        package var name: String
        /// `accommodated`, `notListed` or `notHeld`.
        package var answer: String
        package var specialists: [UUID]

        package static let definition = DocumentDefinition(
            Specialty.init,
            DocumentMember("name", \.name),
            DocumentMember("answer", \.answer, schema: ["enum": ["accommodated", "notListed", "notHeld"]]),
            DocumentMember("specialists", \.specialists)
        )
    }

    package static let definition = DocumentDefinition(
        OperatingDocument.init,
        DocumentMember("at", \.at),
        DocumentMember("state", \.state),
        DocumentMember("until", \.until),
        DocumentMember("next", \.next),
        DocumentMember("specialty", \.specialty),
        DocumentMember("position", \.position),
        derived: [
            DerivedMember("operating", after: "state", "Whether patients are treated, if only emergencies.") {
                $0.state != .closed
            }
        ]
    )
}

extension OperatingDocument {
    package init(
        at moment: Instant,
        _ state: OpeningTimes.State,
        specialty: (name: String, answer: SpecialtyAnswer)? = nil,
        position: UInt64
    ) {
        at = moment
        switch state {
        case .open(let end): (self.state, until) = (.open, end)
        case .emergencyOnly(let end): (self.state, until) = (.emergencyOnly, end)
        case .closed(let opening): (self.state, next) = (.closed, opening)
        }
        self.specialty = specialty.map { name, answer in
            let holding: [UUID] = if case .accommodated(let ids) = answer { ids } else { [] }
            return Specialty(name: name, answer: answer.name, specialists: holding)
        }
        self.position = position
    }
}
