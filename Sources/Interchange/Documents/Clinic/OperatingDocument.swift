package import FoundationEssentials
package import HealthModel

/// Whether a practice is open at a moment, and whether it can treat what needs a specialty.
package struct OperatingDocument: APIDocument, Hashable {
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

    package struct Specialty: Hashable, Sendable {
        package var name: String
        /// `accommodated`, `notListed` or `notHeld`.
        package var answer: String
        package var specialists: [UUID]
    }

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

    private static let answers: [JSONValue] = ["accommodated", "notListed", "notHeld"]

    package static let schema = JSONSchema.object(
        [
            "at": JSONSchema.time, "state": ["enum": .array(State.allCases.map { .string($0.rawValue) })],
            "operating": ["type": "boolean", "description": "Whether patients are treated, if only emergencies."],
            "position": JSONSchema.position,
        ],
        optional: [
            "until": JSONSchema.time, "next": JSONSchema.time,
            "specialty": JSONSchema.object([
                "name": ["type": "string"], "answer": ["enum": .array(answers)],
                "specialists": JSONSchema.array(of: JSONSchema.identifier),
            ]),
        ]
    )

    package var json: JSONValue {
        .present([
            "at": .time(at), "state": .string(state.rawValue), "operating": .bool(state != .closed),
            "until": until.map { .time($0) }, "next": next.map { .time($0) },
            "specialty": specialty.map {
                [
                    "name": .string($0.name), "answer": .string($0.answer),
                    "specialists": .array($0.specialists.map { .string($0.text) }),
                ]
            },
            "position": .integer(position),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        at = try object.instant("at")
        guard let state = State(rawValue: try object.required("state")) else {
            throw ModelError(.invalid, field: "state", "is unknown")
        }
        self.state = state
        until = try object.optionalInstant("until")
        next = try object.optionalInstant("next")
        specialty = try object.optionalObject("specialty")
            .map { specialty throws(ModelError) in
                Specialty(
                    name: try specialty.required("name"),
                    answer: try specialty.required("answer"),
                    specialists: try specialty.ids("specialists")
                )
            }
        position = try object.number("position")
    }
}
