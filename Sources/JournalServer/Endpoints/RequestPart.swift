package import FoundationEssentials
import HealthJournal
package import HealthModel
import Hummingbird
import Interchange

/// A part of a request that an endpoint takes: parameters of its path, its query or its headers, or its body.
package struct RequestPart<Value: Sendable>: Sendable {
    /// The parameters of the path that it reads.
    var names: [String] = []
    /// What clients learn about parameters besides those in the path, which are described by their names.
    var parameters: [Parameter] = []
    /// Whether its parameters are described after those that all changes have.
    var isDescribedLast = false
    /// What clients learn about the body; nil for another part.
    var body: BodyDescription?
    /// The member of the body with a password; nil for none.
    var secret: String?
    let read: @Sendable (ReceivedRequest) throws -> Value
    let write: @Sendable (Value, inout EndpointRequest) -> Void
}

extension RequestPart where Value == UUID {
    /// An id in the path, whose parameter has this name.
    static func id(_ name: String) -> Self {
        Self(names: [name]) {
            try $0.id(name)
        } write: {
            $1.parameters[name] = $0.text
        }
    }

    static var record: Self { id("record") }
    static var practice: Self { id("practice") }
    static var entry: Self { id("entry") }
}

extension RequestPart where Value == ClosedRange<Day> {
    /// The days from the first to the last one, by a practice's clock.
    static var days: Self {
        Self(parameters: [.firstShownDay, .lastShownDay]) {
            try $0.query.days()
        } write: {
            $1.query.append(("from", $0.lowerBound.description))
            $1.query.append(("to", $0.upperBound.description))
        }
    }
}

extension RequestPart where Value == UInt64? {
    /// The version of the object that the client has seen, without which the change is not made.
    static var ifMatch: Self {
        Self(parameters: [.ifMatch]) {
            try $0.request.expectedVersion()
        } write: {
            $1.expecting = $0
        }
    }
}

extension RequestPart where Value == UInt64 {
    /// A position in the path; `missing` is what the problem says of a text that is none.
    static func position(_ name: String, missing: Message) -> Self {
        Self(names: [name]) {
            guard let position = $0.context.parameters.get(name).flatMap(UInt64.init), position <= UInt64(Int.max)
            else {
                throw JournalError(.notFound, missing)
            }
            return position
        } write: {
            $1.parameters[name] = String($0)
        }
    }
}

extension RequestPart where Value == Bool {
    /// A parameter of the query that is false unless it is given.
    static func flag(_ parameter: Parameter) -> Self {
        Self(parameters: [parameter]) {
            try $0.query.flag(parameter)
        } write: {
            if $0 { $1.query.append((parameter.name, "true")) }
        }
    }

    /// Whether only to say if the change is possible.
    static var onlyTry: Self {
        var part = flag(.onlyTry)
        part.isDescribedLast = true
        return part
    }
}

extension RequestPart {
    /// A parameter of the query that may be missing.
    static func query<Wrapped: ParameterValue>(_ parameter: Parameter, as type: Wrapped.Type) -> Self
    where Value == Wrapped? {
        Self(parameters: [parameter]) {
            try $0.query.value(parameter)
        } write: {
            if let value = $0 { $1.query.append((parameter.name, value.parameterText)) }
        }
    }

    /// A parameter of the query that must be given.
    static func required(_ parameter: Parameter, as type: Value.Type) -> Self where Value: ParameterValue {
        Self(parameters: [parameter]) {
            guard let value: Value = try $0.query.value(parameter) else {
                throw JournalError(.invalid, field: parameter.name, "is required")
            }
            return value
        } write: {
            $1.query.append((parameter.name, $0.parameterText))
        }
    }

    /// Parameters of the query that are members of one value.
    static func query(_ empty: Value, _ members: QueryMember<Value>...) -> Self {
        Self(parameters: members.map(\.parameter)) { request in
            try members.reduce(into: empty) { try $1.read(&$0, request.query) }
        } write: { value, request in
            for member in members { member.write(value, &request) }
        }
    }

    /// A document in the body; `schema` is its name among the components of the description.
    static func body(_ type: Value.Type, _ schema: String, example: Example? = nil) -> Self
    where Value: RequestBodyDocument {
        Self(body: BodyDescription(schema: schema, examples: example.map { [$0] } ?? [])) {
            try Value($0.object)
        } write: {
            $1.body = $0.json
        }
    }
}

extension RequestPart where Value: ParameterValue {
    /// A body whose only member is a text; `schema` is its name among the components of the description.
    static func member(_ name: String, _ schema: String, example: Example? = nil) -> Self {
        Self(body: BodyDescription(schema: schema, examples: example.map { [$0] } ?? [])) {
            let object = try $0.object
            try object.requireMembers([name])
            let text = try object.required(name)
            do throws(ModelError) {
                return try Value(parameter: text)
            } catch {
                throw ModelError(.invalid, field: name, error.text)
            }
        } write: {
            $1.body = .object([.init(name, .string($0.parameterText))])
        }
    }
}

extension RequestPart where Value: FieldDescribed {
    /// The settings in the body, which must have no other members.
    static func settings(_ type: Value.Type, _ schema: String, example: Example) -> Self {
        Self(body: BodyDescription(schema: schema, examples: [example])) {
            try $0.object.settings()
        } write: {
            $1.body = SettingsDocument($0).json
        }
    }
}

extension NativeObject {
    /// Reads settings, which must have no other members.
    func settings<Value: FieldDescribed>() throws(ModelError) -> Value {
        try requireMembers(SettingsDocument<Value>.names)
        return try SettingsDocument<Value>(self).settings
    }
}

/// A document that a client sends: read and written in one place.
protocol RequestBodyDocument: Sendable {
    var json: JSONValue { get }

    init(_ object: NativeObject) throws(ModelError)
}

/// A parameter of a query that is a member of a value.
struct QueryMember<Root>: Sendable {
    let parameter: Parameter
    let read: @Sendable (inout Root, Query) throws -> Void
    let write: @Sendable (Root, inout EndpointRequest) -> Void

    init<Value: ParameterValue>(_ parameter: Parameter, _ path: any WritableKeyPath<Root, Value?> & Sendable) {
        self.parameter = parameter
        read = { root, query in root[keyPath: path] = try query.value(parameter) }
        write = { root, request in
            if let value = root[keyPath: path] { request.query.append((parameter.name, value.parameterText)) }
        }
    }

    /// A whole number in the range that the parameter declares.
    init(_ parameter: Parameter, _ path: any WritableKeyPath<Root, Int?> & Sendable) {
        self.parameter = parameter
        read = { root, query in root[keyPath: path] = try query.integer(parameter) }
        write = { root, request in
            if let number = root[keyPath: path] { request.query.append((parameter.name, String(number))) }
        }
    }

    /// A flag that is false unless it is given.
    init(_ parameter: Parameter, _ path: any WritableKeyPath<Root, Bool> & Sendable) {
        self.parameter = parameter
        read = { root, query in root[keyPath: path] = try query.flag(parameter) }
        write = { root, request in
            if root[keyPath: path] { request.query.append((parameter.name, "true")) }
        }
    }
}

/// A value that is one text in a path or a query.
package protocol ParameterValue: Sendable {
    var parameterText: String { get }

    /// Throws an error that says what the text must be.
    init(parameter text: String) throws(ModelError)
}

extension Query {
    /// The value of a parameter; nil if it is missing.
    func value<Value: ParameterValue>(_ parameter: Parameter) throws -> Value? {
        try value(parameter) { text throws(ModelError) in try Value(parameter: text) }
    }
}

extension String: ParameterValue {
    package var parameterText: String { self }

    package init(parameter text: String) { self = text }
}

extension Bool: ParameterValue {
    package var parameterText: String { String(self) }

    package init(parameter text: String) throws(ModelError) {
        guard let value = Bool(text) else { throw ModelError(.invalid, "must be true or false") }
        self = value
    }
}

extension UUID: ParameterValue {
    package var parameterText: String { text }

    package init(parameter text: String) throws(ModelError) {
        guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be a UUID") }
        self = id
    }
}

extension Day: ParameterValue {
    package var parameterText: String { description }

    package init(parameter text: String) throws(ModelError) { try self.init(parsing: text) }
}

extension Instant: ParameterValue {
    package var parameterText: String { description }

    package init(parameter text: String) throws(ModelError) { try self.init(parsing: text) }
}

extension AsOf: ParameterValue {
    package var parameterText: String {
        switch self {
        case .position(let position): String(position)
        case .instant(let instant): instant.description
        case .day(let day): day.description
        // The service would interpret a local time in its own zone, so it is converted to UTC here.
        case .minute(let wall): wall.lastInstant(in: .current).description
        }
    }

    package init(parameter text: String) throws(ModelError) { try self.init(parsing: text) }
}

extension ParameterValue where Self: CaseIterable & RawRepresentable<String> {
    package var parameterText: String { rawValue }

    package init(parameter text: String) throws(ModelError) {
        guard let value = Self(rawValue: text) else {
            throw ModelError(.invalid, "must be one of \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = value
    }
}
