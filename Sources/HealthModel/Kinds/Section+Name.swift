extension Section {
    /// The section of a name on the command line, in JSON or in the API.
    package init(named name: String) throws(ModelError) {
        guard let section = Self.allCases.first(where: { $0.name == name }) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw ModelError(.invalid, field: "sections", "there is no such section; the sections are \(names)")
        }
        self = section
    }
}
