internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal.Records {
    /// Reads the part of a record that the caller may see, in the form that `render` produces.
    ///
    /// A rendered answer is cached until something that it depends on changes. Authorization is evaluated on every
    /// request, and every read is recorded before the answer is returned. The recorded event is sealed under the
    /// record's key, so that nothing of an erased record can be returned.
    package func read(
        _ record: UUID,
        _ options: ReadOptions,
        as form: AnswerForm,
        _ caller: Caller,
        render: (RecordAnswer) -> [UInt8]
    ) async throws(JournalError) -> RenderedAnswer {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .reading(options, .read), on: record)
            let question = QueryKey(form: form, options: options, right: admission.right, scope: admission.scope)
            let rendered =
                try kept(admission, options, question) ?? self.rendered(admission, options, question, render)
            return try await traced(rendered, admission, options, caller)
        }
    }

    /// The maximum number of entries of a record that are held in memory at once.
    package static let maximumEntriesInMemory = 2_000

    /// Returns the cached answer to the same question, unless something has changed since.
    package func kept(
        _ admission: Admission,
        _ options: ReadOptions,
        _ question: QueryKey
    ) throws -> RenderedAnswer? {
        guard options.asOf == nil, let kept = journal.cache.answer(to: question, of: admission.record) else {
            return nil
        }
        var rendered = kept.rendered
        if question.form == .record, admission.right == .owner { rendered.asOf = try stamp(at: kept.position) }
        return rendered
    }

    package func traced(
        _ rendered: RenderedAnswer,
        _ admission: Admission,
        _ options: ReadOptions,
        _ caller: Caller
    ) async throws -> RenderedAnswer {
        try await journal.access.trace(
            caller,
            admission,
            Shown(rendered.entryCount, rendered.entries, options, admission, asOf: rendered.position)
        )
        return rendered
    }

    package func rendered(
        _ admission: Admission,
        _ options: ReadOptions,
        _ question: QueryKey,
        _ render: (RecordAnswer) -> [UInt8]
    ) throws -> RenderedAnswer {
        let position = try journal.log.position(asOf: options.asOf)
        let answer = try answer(admission, options, asOf: position)
        let rendered = RenderedAnswer(
            bytes: render(answer),
            asOf: answer.asOf,
            version: answer.version,
            entryCount: answer.state.entries.count,
            entries: options.runs(of: answer.state.entries),
            position: position
        )
        try keep(rendered, to: question, of: admission.record)
        return rendered
    }

    /// Caches an answer, unless it is as of the past: that stays valid, but is seldom requested twice.
    package func keep(_ rendered: RenderedAnswer, to question: QueryKey, of record: UUID) throws {
        if question.options.asOf == nil {
            try journal.cache.keep(record, asOf: rendered.position, journal.log) { $0?.keep(rendered, to: question) }
        }
    }
}
