internal import Mustache

/// A value as a template asks for it: its properties by their names, each gone through once.
///
/// The library goes through a whole value again for every tag, and through all that stand around it for a tag that is further
/// out; that was half the time of a long page.
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

    /// Nil for what is not there.
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
