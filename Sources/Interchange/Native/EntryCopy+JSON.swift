package import HealthModel

extension EntryCopy {
    /// Decodes a copy that a preview or an event names.
    package init(_ object: NativeObject) throws(ModelError) {
        self.init(
            try object.choice("what", What.self),
            id: try object.optionalID("id"),
            try object.choice("fate", Fate.self)
        )
    }
}
