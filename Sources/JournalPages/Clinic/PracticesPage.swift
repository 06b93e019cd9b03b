package import HealthModel

/// The page of the practices in which the reader works.
package struct PracticesPage: WebPage {
    package static let template = Template("practices")

    package let practices: [Item]
    package let isEmpty: Bool

    package struct Item: Sendable {
        package let address: String
        package let name: String
        /// The roles of the reader.
        package let roles: String
        package let zone: String
        package let isClosed: Bool
    }

    package init(_ practices: [(practice: PracticeState, roles: Set<ClinicRole>)], _ reader: Reader) {
        self.practices = practices.map { practice, roles in
            Item(
                address: "/practices/\(practice.id.text)",
                name: practice.profile.name,
                roles: roles.sorted().map { reader.words["clinicRole.\($0.rawValue)"] }.joined(separator: ", "),
                zone: practice.profile.zone.replacing("_", with: " "),
                isClosed: practice.closed != nil
            )
        }
        isEmpty = practices.isEmpty
    }
}
