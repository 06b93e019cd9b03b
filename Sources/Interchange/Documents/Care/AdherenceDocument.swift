package import HealthModel

/// How an adherence is divided into groups.
package enum AdherenceGrouping: String, CaseIterable, Sendable {
    case day, week, plan, time
}

/// How many planned doses of a record were taken, in all and in groups.
package struct AdherenceDocument: DefinedDocument, Hashable {
    package var from: Day
    package var to: Day
    package var total: Adherence
    package var groups: [Group]

    /// The doses of one day, week, plan or time of day.
    package struct Group: DefinedDocument, Hashable {
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

        package static let definition = DocumentDefinition(
            Group.init,
            DocumentMember("key", \.key),
            DocumentMember("name", \.name),
            DocumentMember("counts", \.counts)
        )
    }

    package init(from: Day, to: Day, total: Adherence, groups: [Group]) {
        self.from = from
        self.to = to
        self.total = total
        self.groups = groups
    }

    package static let definition = DocumentDefinition(
        AdherenceDocument.init,
        DocumentMember("from", \.from, schema: ["type": "string", "format": "date"]),
        DocumentMember("to", \.to, schema: ["type": "string", "format": "date"]),
        DocumentMember("total", \.total),
        DocumentMember("groups", \.groups)
    )
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
