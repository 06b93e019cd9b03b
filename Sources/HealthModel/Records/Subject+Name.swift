extension Subject {
    /// Creates the subject with a name from JSON or the command line; throws for an unknown name.
    package init(named name: String) throws(ModelError) {
        switch name {
        case "human": self = .human
        case "animal": self = .animal
        default: throw ModelError(.invalid, field: "subject", "must be human or animal")
        }
    }
}
