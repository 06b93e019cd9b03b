import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalOperation where Result == WriteResult {
    static func addEntry(_ content: EntryContent, to record: UUID, id: UUID?) -> Self {
        Self {
            try await $0.journal.entries.addEntry(content, to: record, id: id, $0.caller)
        } remote: {
            let request = ServiceRequest.write(
                .post,
                at: ["records", record.text, "entries", content.kind.name],
                query: $0.reasonQuery + [("id", id?.text)],
                body: NativeDocument.write(content)
            )
            return try await $0.write(request)
        }
    }

    /// Adds an entry to the record of another entry, which it refers to.
    static func addEntry(_ content: EntryContent, besides entry: UUID) -> Self {
        Self {
            try await $0.journal.entries.addEntry(content, to: $0.journal.entries.record(ofEntry: entry), $0.caller)
        } remote: {
            try await addEntry(content, to: $0.found(entry).record, id: nil).remote($0)
        }
    }

    static func correctEntry(
        _ entry: UUID,
        _ edit: @escaping (inout EntryContent) throws(ModelError) -> Void
    ) -> Self {
        Self {
            try await $0.journal.entries.correctEntry(entry, $0.caller, edit)
        } remote: {
            let seen = try await $0.found(entry)
            var content = seen.content
            try edit(&content)
            return try await $0.change(.put, seen, body: NativeDocument.write(content))
        }
    }

    static func changePlan(
        _ entry: UUID,
        _ edit: @escaping (inout EntryContent) throws(ModelError) -> Void
    ) -> Self {
        Self {
            try await $0.journal.entries.changePlan(entry, $0.caller, edit)
        } remote: {
            let seen = try await $0.found(entry)
            var content = seen.content
            try edit(&content)
            return try await $0.change(.post, seen, "changes", body: NativeDocument.write(content))
        }
    }

    static func retractEntry(_ entry: UUID) -> Self {
        Self {
            try await $0.journal.entries.retractEntry(entry, $0.caller)
        } remote: {
            try await $0.change(.delete, $0.found(entry))
        }
    }

    static func restoreEntry(_ entry: UUID) -> Self {
        Self {
            try await $0.journal.entries.restoreEntry(entry, $0.caller)
        } remote: {
            try await $0.change(.post, $0.found(entry), "restore")
        }
    }

    static func eraseEntry(_ entry: UUID) -> Self {
        Self {
            try await $0.journal.erasure.eraseEntry(entry, $0.caller)
        } remote: { service in
            let seen = try await service.found(entry)
            let body: JSONValue = ["reason": .string(service.reason ?? "")]
            let path = ["records", seen.record.text, "erasures", entry.text]
            var request = ServiceRequest.write(.post, at: path, query: [], body: body)
            request.expecting = seen.latest.position
            return try await service.write(request)
        }
    }

    static func moveEntry(_ entry: UUID, to record: UUID) -> Self {
        Self {
            try await $0.journal.entries.moveEntry(entry, to: record, $0.caller)
        } remote: { service in
            let seen = try await service.found(entry)
            let body: JSONValue = ["entry": .string(entry.text), "to": .string(record.text)]
            var request = ServiceRequest.write(
                .post,
                "records",
                seen.record.text,
                "moves",
                query: service.reasonQuery,
                body: body
            )
            request.expecting = seen.latest.position
            return try await service.write(request)
        }
    }

    static func attachDocument(_ bytes: [UInt8], _ content: EntryContent, to record: UUID) -> Self {
        Self {
            try await $0.journal.entries.attachDocument(bytes, content, to: record, $0.caller)
        } remote: {
            var request = ServiceRequest.write(.post, "records", record.text, "documents", query: $0.reasonQuery)
            request.body = .form(file: bytes, NativeDocument.write(content))
            return try await $0.write(request)
        }
    }
}

extension JournalOperation where Result == [EntryDoubt] {
    static func doubts(about content: EntryContent, in record: UUID) -> Self {
        Self {
            try await $0.journal.entries.doubts(about: content, in: record, $0.caller)
        } remote: { service in
            let body: JSONValue = ["kind": .string(content.kind.name), "entry": NativeDocument.write(content)]
            let path = ["records", record.text, "doubts"]
            let request = ServiceRequest.write(.post, at: path, query: [], body: body)
            return try await service.client.send(request)
                .read { answer throws(ModelError) in
                    try answer.objects("doubts").map { doubt throws(ModelError) in try EntryDoubt(doubt) }
                }
        }
    }
}

extension JournalOperation where Result == UndoneChange {
    static func undo(in record: UUID, position: UInt64?) -> Self {
        Self {
            try await $0.journal.entries.undo(in: record, position: position, $0.caller)
        } remote: { service in
            let body = JSONValue.present(["position": position.map { .integer($0) }])
            let path = ["records", record.text, "undo"]
            let request = ServiceRequest.write(.post, at: path, query: service.reasonQuery, body: body)
            return try await service.client.send(request)
                .read { answer throws(ModelError) in try UndoneChange(WriteResult(answer), answer) }
        }
    }
}

extension JournalOperation where Result == [RecordImport] {
    static func imports(into record: UUID) -> Self {
        Self {
            try await $0.journal.imports.list(into: record, $0.caller)
        } remote: {
            try await $0.list("imports", .get("records", record.text, "imports"))
        }
    }
}

extension JournalOperation where Result == UndoneImport {
    static func undoImport(into record: UUID, position: UInt64?) -> Self {
        Self {
            try await $0.journal.imports.undoImport(into: record, at: position, $0.caller)
        } remote: { service in
            let body = JSONValue.present(["position": position.map { .integer($0) }])
            let path = ["records", record.text, "imports", "undo"]
            let request = ServiceRequest.write(.post, at: path, query: service.reasonQuery, body: body)
            return try await service.client.send(request).read { answer throws(ModelError) in try UndoneImport(answer) }
        }
    }
}

extension JournalOperation where Result == CorrectedEntries {
    static func correctEntries(_ corrections: Corrections, in record: UUID, isDryRun: Bool) -> Self {
        Self {
            isDryRun
                ? try await $0.journal.entries.preview(corrections, in: record, $0.caller)
                : try await $0.journal.entries.correct(corrections, in: record, $0.caller)
        } remote: { service in
            let body = corrections.json(isDryRun: isDryRun, count: nil)
            let path = ["records", record.text, "corrections"]
            let request = ServiceRequest.write(.post, at: path, query: service.reasonQuery, body: body)
            return try await service.client.send(request)
                .read { answer throws(ModelError) in try CorrectedEntries(answer) }
        }
    }
}

extension JournalOperation where Result == EntryState {
    static func entry(_ entry: UUID) -> Self {
        Self {
            try await $0.journal.entries.entry(named: entry.text, asOf: nil, $0.caller)
        } remote: {
            try await $0.found(entry)
        }
    }
}

extension JournalOperation where Result == [EntryState] {
    /// Returns the entries of one kind or of all kinds, those of each kind in the order in which they were added.
    static func entries(of record: UUID, _ kind: Kind?, _ moment: ReadMoment, retracted: Bool) -> Self {
        Self {
            var options = moment.options
            (options.kinds, options.includesRetracted) = (kind.map { [$0] }, retracted)
            return try await $0.journal.records.read(record, options, $0.caller).state.entries
        } remote: {
            guard let kind else { return try await $0.read(record, moment, retracted: retracted).state.entries }
            var query = moment.parameters
            if retracted { query.append(("retracted", "true")) }
            return try await $0.pages(of: "entries", ["records", record.text, "entries", kind.name], query: query) {
                item throws(ModelError) in
                try NativeDocument.decode(item, of: kind, in: record)
            }
        }
    }
}

extension JournalOperation where Result == [RecordedEvent] {
    static func history(ofEntry entry: UUID) -> Self {
        Self {
            try await $0.journal.trail.history(ofEntry: entry, $0.caller)
        } remote: { service in
            let path = try await RemoteJournal.path(of: service.found(entry)) + ["history"]
            return try await service.list("events", .get(at: path)) { item throws(ModelError) in
                let event = try NativeEvent.decode(item)
                service.cacheName(try item.text("actorName"), of: event.stamp.actor)
                return event
            }
        }
    }
}

extension JournalOperation where Result == [UInt8] {
    /// Returns the bytes of the file that is attached as an entry.
    static func document(_ entry: UUID) -> Self {
        Self {
            try await $0.journal.entries.document(entry, $0.caller).bytes
        } remote: {
            let state = try await $0.found(entry)
            guard state.kind == Document.kind else { throw JournalError.noFile }
            return try await $0.client.send(.get(at: RemoteJournal.path(of: state) + ["content"])).bytes
        }
    }
}

extension JournalOperation where Result == [Swift.Result<IngestResult, JournalError>] {
    /// Appends events from other tools in order, and returns a separate result for each.
    static func append(_ events: [CloudEvent], stream: String?) -> Self {
        Self {
            await $0.journal.ingest.append(events, stream: stream, $0.caller)
        } remote: {
            try await $0.append(events, stream: stream)
        }
    }
}
