import FoundationEssentials
package import HealthModel

/// Reads and writes documents of Mango Health: the tree `/users/{id}/…` of its database as one JSON object.
package enum MangoDocument {
    /// The member that contains the users by their ids.
    static let users = "users"

    /// The provider of the users' identities, if the caller does not name another.
    package static let issuer = "firebase"
}

/// A user of a document: the record that an import creates, and the account that owns it.
package struct MangoUser: Sendable {
    /// The id at the provider of identities.
    package var id: String
    package var record: ImportedRecord
    package var account: MangoAccount
    /// The path of the user in the document.
    package var path: String
    /// The documents of the collections, by the entries that they become.
    var documents: [UUID: MangoOriginal]
    /// The members of the user besides the collections.
    var opening: JSONValue
}

extension MangoDocument {
    /// Reads all users of a document; fails if any part of it is invalid.
    package static func read(_ bytes: [UInt8], options: MangoOptions) throws(ModelError) -> [MangoUser] {
        try read(try JSONReader.read(bytes), options: options)
    }

    /// Whether a value has the form of a document.
    package static func isDocument(_ value: JSONValue) -> Bool {
        if case .object(let members) = value, case .object? = value[users] { members.count == 1 } else { false }
    }

    package static func read(_ value: JSONValue, options: MangoOptions) throws(ModelError) -> [MangoUser] {
        guard isDocument(value) else {
            throw ModelError(.invalid, "a Mango document is an object whose only member, users, is an object")
        }
        let root = try MangoObject(value, at: DocumentPath())
        var found: [MangoUser] = []
        for (id, user) in try root.documents(users) { found.append(try MangoUserReader(user, id: id, options).user()) }
        return found
    }
}

/// Reads one user of a document.
private struct MangoUserReader {
    private let object: MangoObject
    private let id: String
    private let record: UUID
    private let namespace: UUID
    private let options: MangoOptions
    private let account: MangoAccount
    private let dates: MangoDates
    private var entries: [ImportedEntry] = []
    private var unrepresented: [String] = []
    private var contradictions: [String] = []
    private var documents: [UUID: MangoOriginal] = [:]

    init(_ object: MangoObject, id: String, _ options: MangoOptions) throws(ModelError) {
        guard !id.isEmpty else { throw ModelError(.invalid, field: object.path.field, "the user has no id") }
        (self.object, self.id, self.options) = (object, id, options)
        record = PurusIds.id(ofText: id, within: options.namespaces.records, "user")
        do {
            namespace = try options.namespaces.entries(record)
        } catch {
            throw ModelError(.conflict, field: object.path.field, "the ids of its entries cannot be derived")
        }
        account = try MangoAccount(object, options, unrepresented: &unrepresented)
        dates = MangoDates(zone: options.zoneNamed(account.preferences.timeZone) ?? options.zone)
    }

    consuming func user() throws(ModelError) -> MangoUser {
        let renderer = MangoRenderer(user: id, dates: dates)
        var ids: [String: UUID] = [:]
        for collection in MangoCollection.all {
            for (key, document) in try object.documents(collection.name) {
                let text = try document.text("id", maximum: Limits.line) ?? key
                let entry = PurusIds.id(ofText: text, within: namespace, collection.name)
                if collection == .medications || collection == .supplements { ids[text] = entry }
                try read(document, key: key, as: entry, of: collection, ids, renderer)
            }
        }
        var profile = RecordProfile(subject: .human)
        if !account.details.displayName.isEmpty {
            // Which part of the name is the family name is not known.
            profile.values[RecordProfile.givenName] = .text(account.details.displayName)
            profile.inferred = [RecordProfile.givenName.name]
        }
        if !account.preferences.timeZone.isEmpty {
            profile.values[RecordProfile.zone] = .text(account.preferences.timeZone)
        }
        profile.extra = try extra(renderer)
        return MangoUser(
            id: id,
            record: ImportedRecord(
                id: record,
                profile: profile,
                entries: entries,
                shape: .mango,
                unrepresented: unrepresented,
                contradictions: contradictions
            ),
            account: account,
            path: object.path.text,
            documents: documents,
            opening: MangoUser.opening(of: object.members)
        )
    }

    private mutating func read(
        _ document: MangoObject,
        key: String,
        as entry: UUID,
        of collection: MangoCollection,
        _ ids: [String: UUID],
        _ renderer: MangoRenderer
    ) throws(ModelError) {
        var content: EntryContent
        var doses: [ImportedEntry] = []
        if collection == .medications || collection == .supplements {
            let reader = try MangoPlanReader(document, id: entry, of: collection, dates: dates, now: options.now)
            content = reader.content
            doses = reader.doses.map { ImportedEntry(id: $0.id, content: $0.content, path: $0.path.text) }
            unrepresented += reader.unrepresented
            contradictions += reader.contradictions
        } else {
            let reader = try MangoEntryReader(document, of: collection, ids: ids)
            content = reader.content
            unrepresented += reader.unrepresented
        }
        var last = MangoDoses()
        for dose in doses { last.add(dose.content) }
        let rendered = renderer.members(entry, content, of: collection, doses: last.last[entry] ?? [:])
        content.extra = try extra(document, key: key, as: entry, of: collection, rendered)
        documents[entry] = MangoOriginal(
            document: .init(key, JSONValue.object(document.members).withSortedMembers),
            doses: doses.map(\.id)
        )
        for item in [ImportedEntry(id: entry, content: content, path: document.path.text)] + doses {
            do { try item.content.validate(now: options.now) } catch {
                let field = [item.path, error.field].compactMap(\.self).joined(separator: ".")
                throw ModelError(error.code, field: field, error.text)
            }
            entries.append(item)
        }
    }

    /// Kept values are nested in objects of the journal's own formats, which limit the depth as well.
    private func requireShallow(_ object: MangoObject) throws(ModelError) {
        for member in object.members where member.value.depth >= PurusSource.maximumExtraDepth {
            let message: Message = "is nested more than \(PurusSource.maximumExtraDepth - 1) deep"
            throw ModelError(.invalid, field: object.place(member.name).field, message)
        }
    }

    /// What of a document must be kept so that it can be written again as it was.
    private mutating func extra(
        _ document: MangoObject,
        key: String,
        as entry: UUID,
        of collection: MangoCollection,
        _ rendered: [JSONValue.Member]
    ) throws(ModelError) -> [Extra] {
        try requireShallow(document)
        let times: Set<String> = collection.hasUpdates ? [MangoNames.created, MangoNames.updated] : []
        let source = document.members.filter { !times.contains($0.name) }
        for name in times { _ = try document.instant(name) }
        let kept = MangoKept.extra(of: source, rendered: rendered, defined: collection.members)
        unrepresented += source.filter { !collection.members.contains($0.name) }.map { document.place($0.name).text }
        var extra = kept
        if collection.hasUpdates {
            let names = document.members
            extra.append(
                MangoKept(
                    MangoNames.created,
                    rendered: nil,
                    source: names.first { $0.name == MangoNames.created }?.value
                )
                .extra
            )
            extra.append(
                MangoKept(
                    MangoNames.updated,
                    rendered: .string(MangoRenderer.digest(of: rendered, entry)),
                    source: names.first { $0.name == MangoNames.updated }?.value
                )
                .extra
            )
        }
        if key != MangoDocument.shownID(document.members) {
            extra.append(MangoKept("$" + MangoNames.key, rendered: nil, source: .string(key)).extra)
        }
        return extra
    }

    /// What of the user itself must be kept.
    private mutating func extra(_ renderer: MangoRenderer) throws(ModelError) -> [Extra] {
        try requireShallow(object)
        for name in [MangoNames.created, MangoNames.lastLogin] { _ = try object.instant(name) }
        // An empty collection is kept, because the writer leaves it out.
        let collections = Set(MangoCollection.all.map(\.name))
        let own: Set<String> = [MangoNames.created, MangoNames.lastLogin, MangoNames.caregivers]
        let source = object.members.filter { member in
            !own.contains(member.name) && !(collections.contains(member.name) && !member.value.isBlank)
        }
        let defined = MangoNames.user.union(collections)
        unrepresented += source.filter { !defined.contains($0.name) }.map { object.place($0.name).text }
        var extra = MangoKept.extra(of: source, rendered: renderer.members(account), defined: defined)
        for name in [MangoNames.created, MangoNames.lastLogin] {
            let value = object.members.first { $0.name == name }?.value
            extra.append(MangoKept(name, rendered: nil, source: value).extra)
        }
        extra.append(
            MangoKept(
                MangoNames.caregivers,
                rendered: MangoRenderer.identity(of: account.caregivers),
                source: object.members.first { $0.name == MangoNames.caregivers }?.value
            )
            .extra
        )
        extra.append(MangoKept("$" + MangoNames.key, rendered: nil, source: .string(id)).extra)
        return extra
    }
}

extension MangoDocument {
    /// The id that the members of a document show; nil without one.
    static func shownID(_ members: [JSONValue.Member]) -> String? {
        if case .string(let text)? = members.first(where: { $0.name == "id" })?.value { text } else { nil }
    }
}

/// The last dose of each time of day, by plan.
package struct MangoDoses: Sendable {
    private(set) var last: [UUID: [UUID: MangoDose]] = [:]

    package init() {}

    package mutating func add(_ content: EntryContent) {
        guard let (plan, time) = MangoDose.place(of: content), let dose = MangoDose(content) else { return }
        if let known = last[plan]?[time], known.at >= dose.at { return }
        last[plan, default: [:]][time] = dose
    }
}

extension MangoRenderer {
    /// A text that changes when the members of an entry change.
    static func digest(of members: [JSONValue.Member], _ entry: UUID) -> String {
        UUID(nameBased: entry, JSONWriter.text(.object(members), .compact)).text
    }
}
