internal import Mustache

/// A value whose properties a template reads by name, reflected once.
///
/// The library reflects the whole value again for every tag, and also all enclosing values for a name that is defined
/// further out; that took half of the time to render a long page.
struct ReflectedValue: MustacheParent {
    private let properties: [String: Any]

    init(_ value: Any) {
        self.init(Mirror(reflecting: value))
    }

    private init(_ mirror: Mirror) {
        var properties: [String: Any] = [:]
        for child in mirror.children {
            guard let name = child.label, let value = ReflectedValue.shown(child.value) else { continue }
            properties[name] = value
        }
        self.properties = properties
    }

    func child(named name: String) -> Any? { properties[name] }

    /// Converts a value for the template; nil for an empty optional.
    private static func shown(_ value: Any) -> Any? {
        if let text = value as? String { return text }
        if let parent = value as? any MustacheParent { return parent }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.flatMap { shown($0.value) }
        case .collection: return mirror.children.compactMap { shown($0.value) }
        case .struct where !mirror.children.isEmpty: return ReflectedValue(mirror)
        default: return value
        }
    }
}
