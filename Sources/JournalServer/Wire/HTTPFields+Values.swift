import HTTPTypes

extension HTTPFields {
    /// The value of a field as the subscript has it, made for the many that stand once or not at all.
    func value(of name: HTTPField.Name) -> String? {
        var found: String?
        for field in self where field.name == name {
            guard found == nil else { return self[name] }
            found = field.value
        }
        return found
    }
}
