extension Subject {
    /// The subject of a name in JSON or on the command line.
    package init(named name: String) throws(ModelError) {
        switch name {
        case "human": self = .human
        case "animal": self = .animal
        default: throw ModelError(.invalid, field: "subject", "must be human or animal")
        }
    }
}
