package import HealthModel

/// What the form of a kind of entry asks for first, what it shows on request, and what it never asks for.
///
/// Fields are named by their paths, with `*` for the index in a list. A group or a list stands for all of its fields.
/// Fields that are not named are asked for, and so are those of a kind without a layout.
package struct EntryFormLayout: Sendable {
    enum Placement: Hashable, Sendable {
        /// Among the fields that are shown first.
        case asked
        /// Shown on request, or if there is a value.
        case more
        /// Filled in only by programs, so that it is shown on request, and only if there is a value.
        case kept
    }

    private var placements: [String: Placement] = [:]
    /// The fields that stand on one line, by path.
    private(set) var lines: [[String]] = [["date", "time"]]
    /// The lists of which each item is a line, to which others can be added.
    private(set) var lists: Set<String> = []

    private init(
        more: [String] = [],
        kept: [String] = [],
        lines: [[String]] = [],
        lists: Set<String> = []
    ) {
        for name in more { placements[name] = .more }
        for name in kept { placements[name] = .kept }
        self.lines += lines
        self.lists = lists
    }

    /// Returns where the form shows the field with a path.
    func placement(of path: String) -> Placement {
        var parts = path.split(separator: ".").map { Int($0) == nil ? String($0) : "*" }
        while !parts.isEmpty {
            if let found = placements[parts.joined(separator: ".")] { return found }
            parts.removeLast()
        }
        return .asked
    }

    /// The paths that the layout names.
    var names: [String] { placements.keys.sorted() + lines.flatMap { $0 } + lists.sorted() }

    // MARK: - The kinds

    /// The field for how precisely the date is known.
    ///
    /// Entries of these kinds are usually of the day on which they are written; others tell of the past.
    private static let precision = "datePrecision"

    private static let layouts: [Kind: EntryFormLayout] = [
        Weight.kind: EntryFormLayout(more: [precision], lines: [["value", "unit"]]),
        Blood.kind: EntryFormLayout(
            more: ["normal", "flag", "panel", "specimen", "laboratory", "fasting", precision],
            lines: [["value", "unit"], ["low", "high"], ["normal", "flag"], ["panel", "specimen"]]
        ),
        Symptom.kind: EntryFormLayout(more: ["minutes", "triggers", precision]),
        MeasuredValue.kind: EntryFormLayout(
            more: ["minimum", "maximum", "count", "until", "device", precision],
            kept: ["parts"],
            lines: [["value", "unit"], ["minimum", "maximum"]],
            lists: ["parts"]
        ),
        Meal.kind: EntryFormLayout(
            more: ["foods.*.calories", "foods.*.notes", "allergies", "scheduledTime", "actualTime", precision],
            lists: ["foods"]
        ),
        Dose.kind: EntryFormLayout(
            more: ["reason", "reasonText", "site", precision],
            kept: ["slot", "planned", "plannedAmount", "zone"]
        ),
        Supply.kind: EntryFormLayout(more: ["lot", "pharmacy", precision], lines: [["amount", "unit"]]),
        Drug.kind: EntryFormLayout(
            more: plan + ["ended"],
            kept: ["substances.*.code", "substances.*.system", "prescriber"]
        ),
        Supplement.kind: EntryFormLayout(
            more: plan + ["brand", "ended"],
            kept: ["substances.*.code", "substances.*.system", "prescriber"]
        ),
        Vaccination.kind: EntryFormLayout(
            more: ["manufacturer", "doseNumber", "givenBy", "information"],
            lines: [
                ["nextDue", "validUntil"], ["product", "lot"], ["manufacturer", "doseNumber"], ["givenBy", "place"],
            ]
        ),
        Allergy.kind: EntryFormLayout(more: ["ended"]),
        Risk.kind: EntryFormLayout(more: ["ended"]),
        Document.kind: EntryFormLayout(kept: ["mediaType"]),
        Doctor.kind: EntryFormLayout(
            more: ["type", "contactName", "address.state", "address.country", "date", "time", precision],
            kept: ["contactIdentifier", "isImportedFromContacts"],
            lines: [["phone", "email"], ["address.city", "address.zipCode"]]
        ),
        EmergencyContact.kind: EntryFormLayout(
            more: ["date", "time", precision],
            lines: [["phone", "email"]]
        ),
        Cost.kind: EntryFormLayout(more: [precision], lines: [["amount", "currency"]]),
    ]

    /// The fields of a plan that an entry without a schedule has rarely; the form of plans asks for the schedule.
    private static let plan = [
        "substances", "form", "unit", "route", "indication", "prescribedBy", "frequency",
        "minimumInterval", "maximum", "early", "late", "trackStock", "refillLead", "packSize", "critical",
    ]

    static func of(_ kind: Kind) -> EntryFormLayout { layouts[kind] ?? EntryFormLayout() }

    /// Whether people add entries of the kind with its form.
    ///
    /// Checks add interactions, imports add resources of other systems, and the page of the day asks for a time zone.
    package static func isByHand(_ kind: Kind) -> Bool { ![Interaction.kind, Foreign.kind, Zone.kind].contains(kind) }
}
