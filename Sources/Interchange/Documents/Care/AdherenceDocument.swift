package import HealthModel

/// How an adherence is divided into groups.
package enum AdherenceGrouping: String, CaseIterable, Sendable {
    case day, week, plan, time
}

/// How many planned doses of a record were taken, in all and in groups.
package struct AdherenceDocument: APIDocument, Hashable {
    package var from: Day
    package var to: Day
    package var total: Adherence
    package var groups: [Group]

    /// The doses of one day, week, plan or time of day.
    package struct Group: Hashable, Sendable {
        /// The day, the week such as `2026-W01`, the id of the plan, or the time of day.
        package var key: String
        /// The name of the plan.
        package var name: String?
        package var counts: Adherence

        package init(key: String, name: String?, counts: Adherence) {
            self.key = key
            self.name = name
            self.counts = counts
        }
    }

    package init(from: Day, to: Day, total: Adherence, groups: [Group]) {
        self.from = from
        self.to = to
        self.total = total
        self.groups = groups
    }
}

extension AdherenceDocument {
    package static let schema = JSONSchema.object([
        "from": ["type": "string", "format": "date"], "to": ["type": "string", "format": "date"],
        "total": Adherence.schema,
        "groups": JSONSchema.array(
            of: JSONSchema.object(
                ["key": ["type": "string"], "counts": Adherence.schema],
                optional: ["name": ["type": "string"]]
            )
        ),
    ])

    package var json: JSONValue {
        [
            "from": .string(from.description), "to": .string(to.description), "total": total.json,
            "groups": .array(
                groups.map { group in
                    .present([
                        "key": .string(group.key), "name": group.name.map { .string($0) },
                        "counts": group.counts.json,
                    ])
                }
            ),
        ]
    }

    package init(_ object: NativeObject) throws(ModelError) {
        from = try Day(parsing: object.required("from"))
        to = try Day(parsing: object.required("to"))
        total = try Adherence(object.object("total"))
        groups = []
        for group in try object.objects("groups") {
            groups.append(
                Group(
                    key: try group.required("key"),
                    name: try group.text("name"),
                    counts: try Adherence(group.object("counts"))
                )
            )
        }
    }
}

extension Adherence: APIDocument {
    /// The counts that are stored, with their names; `due` and `percentage` follow from them.
    private static var members: [(name: String, member: WritableKeyPath<Adherence, Int>)] {
        [
            ("taken", \.taken), ("partly", \.partly), ("skipped", \.skipped), ("missed", \.missed),
            ("onTime", \.onTime), ("paused", \.paused), ("beforeKept", \.beforeKept), ("decide", \.decide),
            ("advised", \.advised), ("open", \.open), ("later", \.later), ("asNeeded", \.asNeeded),
            ("unplanned", \.unplanned),
        ]
    }

    package static let schema = JSONSchema.object(
        .object(
            [.init("due", ["type": "integer", "description": "How many planned doses count."])]
                + members.map { .init($0.name, ["type": "integer", "minimum": 0]) }
        ),
        optional: [
            "percentage": [
                "type": "integer",
                "description": "The share of doses that were taken, rounded down; absent if nothing was due.",
            ]
        ]
    )

    package var json: JSONValue {
        .object(
            [.init("due", .integer(settled))]
                + (percentage.map { [.init("percentage", .integer($0))] } ?? [])
                + Adherence.members.map { .init($0.name, .integer(self[keyPath: $0.member])) }
        )
    }

    package init(_ object: NativeObject) throws(ModelError) {
        self.init()
        for (name, member) in Adherence.members { self[keyPath: member] = try object.optionalInteger(name) ?? 0 }
    }
}
