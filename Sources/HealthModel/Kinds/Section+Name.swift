extension Section {
    /// Creates the section with a name from the command line, JSON or the API; throws for an unknown name.
    package init(named name: String) throws(ModelError) {
        guard let section = Self.allCases.first(where: { $0.name == name }) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw ModelError(.invalid, field: "sections", "there is no such section; the sections are \(names)")
        }
        self = section
    }
}
