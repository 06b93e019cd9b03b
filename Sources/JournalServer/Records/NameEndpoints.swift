package import FoundationEssentials
import HTTPTypes
import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// Completion of names, dictated sentences, and the lists of names.
package enum NameEndpoints {
    package static let suggest = Endpoint(
        .post,
        "/v1/suggestions",
        effect: .read,
        id: "suggestNames",
        "Complete the name of a medication, a supplement, an allergy or a food",
        description: """
            At most \(NameSuggestion.maximum) names: those of the record first, the most recent of them first, \
            then substances, then classes. From \(NameQuery.lettersForError) letters on, one typing error is \
            allowed. What is typed is in the body, so that no address contains it; it is neither stored nor logged. \
            With `record`, the read of its names is audited.
            """,
        tag: .care,
        takes: .typedName,
        returns: .list("suggestions", "Suggestions", "The names."),
        problems: [.refused, .notFound, .erased]
    ) { journal, caller, typed in
        try await journal.names.suggest(typed.text, in: typed.record, kind: typed.kind, caller)
            .map(SuggestionDocument.init)
    }

    package static let draft = Endpoint(
        .post,
        "/v1/records/{record}/drafts",
        effect: .read,
        id: "readDraft",
        "Read a dictated sentence into a prefilled entry; nothing is stored",
        description: """
            The sentence is in English, such as `took two ibuprofen 400 at half past eight`. A client shows what was \
            heard beside what was understood, and adds the entry when the person has checked it.
            """,
        tag: .care,
        takes: .record,
        .sentence,
        returns: .document("Draft", "What was understood."),
        problems: [.erased]
    ) { journal, caller, record, sentence in
        DraftDocument(try await journal.names.draft(sentence, in: record, caller))
    }

    package static let lists = Endpoint(
        .get,
        "/v1/names",
        id: "listNameLists",
        "List the lists of names that were loaded",
        tag: .care,
        returns: .list("names", "NameLists", "The lists, in the order in which they were loaded.")
    ) { journal, _ in
        try journal.names.loadedNames()
    }
}

/// The beginning of a name, and where the name is wanted.
package struct TypedName: Sendable {
    package var text: String
    /// The record whose names come first; nil to read no record.
    package var record: UUID?
    /// The kind of entry; nil for medication and supplements.
    package var kind: Kind?

    package init(_ text: String, in record: UUID?, kind: Kind?) {
        (self.text, self.record, self.kind) = (text, record, kind)
    }
}

extension RequestPart where Value == TypedName {
    fileprivate static var typedName: Self {
        Self(body: BodyDescription(schema: "SuggestionRequest", examples: [("typed", ["text": "lisi"])])) {
            let object = try $0.object
            try object.requireMembers(["text", "record", "kind"])
            let (kindName, recordText) = (try object.text("kind") ?? "", try object.text("record") ?? "")
            let (kind, record) = (Kind.named(kindName), UUID(uuidString: recordText))
            guard kindName.isEmpty || kind != nil else {
                throw JournalError(.invalid, field: "kind", "there is no such kind of entry")
            }
            guard recordText.isEmpty || record != nil else {
                throw JournalError(.invalid, field: "record", "must be a UUID")
            }
            return TypedName(try object.text("text") ?? "", in: record, kind: kind)
        } write: {
            $1.body = .present([
                "text": .string($0.text), "record": $0.record.map { .string($0.text) },
                "kind": $0.kind.map { .string($0.name) },
            ])
        }
    }
}

extension RequestPart where Value == String {
    fileprivate static var sentence: Self {
        .member("text", "DraftRequest", example: ("weight", ["text": "weight 75.4 kilos"]))
    }
}
