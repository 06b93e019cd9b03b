package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCore

/// What an account sees of a record, and what it may add there.
package struct SyncAccess: Hashable, Sendable {
    package var sections: Set<Section>
    package var right: AccessRight
    package var verbs: Set<Verb>
    /// The last day of the grant; nil if it does not end.
    package var until: Day?

    /// Creates the sight of a grant, or of an owner.
    init(_ right: AccessRight, _ scope: AccessScope, _ terms: GrantTerms?) {
        sections = scope.sections
        self.right = right
        verbs = terms?.verbs ?? Set(Verb.allCases)
        until = terms?.until
    }

    package init(_ object: NativeObject) throws(ModelError) {
        var sections: Set<Section> = []
        for name in try object.texts("sections") { sections.insert(try Section(named: name)) }
        var verbs: Set<Verb> = []
        for name in try object.texts("verbs") { verbs.insert(try Verb(named: name)) }
        (self.sections, self.verbs) = (sections, verbs)
        right = try AccessRight(object.object("right"))
        until = try object.optionalDay("until")
    }

    package var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("sections", .array(sections.sorted { $0.rawValue < $1.rawValue }.map { .string($0.name) })),
            .init("right", right.json),
            .init("verbs", .array(verbs.sorted { $0.rawValue < $1.rawValue }.map { .string($0.name) })),
        ]
        if let until { members.append(.init("until", .string(until.description))) }
        return members
    }
}

/// An account that made changes, and those of its devices on which they were made.
package struct SyncAccount: Hashable, Sendable {
    package var id: UUID
    package var name: String
    package var devices: [UUID: String]

    package init(id: UUID, name: String, devices: [UUID: String] = [:]) {
        (self.id, self.name, self.devices) = (id, name, devices)
    }

    package init(_ object: NativeObject) throws(ModelError) {
        var devices: [UUID: String] = [:]
        for device in try object.objects("devices") { devices[try device.id("id")] = try device.required("name") }
        self.init(id: try object.id("id"), name: try object.required("name"), devices: devices)
    }

    package var json: JSONValue {
        let devices = devices.sorted { $0.key.text < $1.key.text }
            .map { id, name -> JSONValue in ["id": .string(id.text), "name": .string(name)] }
        return ["id": .string(id.text), "name": .string(name), "devices": .array(devices)]
    }
}
