import FoundationEssentials
import HealthJournal
import HealthModel

extension Output {
    /// Prints every value of a description on a line of its own, with its label.
    ///
    /// `names` are those of the ids that the description contains; `besides` lists fields that are printed elsewhere.
    func profile<Profile: ClinicProfile>(
        _ profile: Profile,
        besides: Set<String> = [],
        indent: String = "",
        _ names: [UUID: String] = [:]
    ) {
        for path in profile.values.inputs(of: Profile.fields) where !besides.contains(path.fields[0].name) {
            guard let value = profile.values[path] else { continue }
            line("\(indent)\(path.label): \(text(of: value, names))")
        }
    }

    private func text(of value: FieldValue, _ names: [UUID: String]) -> String {
        switch value {
        case .id(let id): names[id] ?? id.text
        case .list(let items): items.map { text(of: $0, names) }.joined(separator: ", ")
        case .flag(let flag): flag ? "yes" : "no"
        default: value.shownText
        }
    }
}
