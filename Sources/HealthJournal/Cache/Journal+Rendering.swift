internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import JournalEvents

extension Journal {
    /// Reads a record with what the caller may see of it, in the form that `render` gives it.
    ///
    /// What was rendered is kept as long as nothing changes that it depends on. Whether the caller is let in is asked each
    /// time, and each time it is on record before it is an answer: that seals under the record's key, so that of an
    /// erased record nothing is shown.
    package func read(
        _ record: UUID,
        _ options: ReadOptions,
        as form: AnswerForm,
        _ caller: Caller,
        render: (RecordAnswer) -> [UInt8]
    ) async throws(JournalError) -> RenderedAnswer {
        try await retrying {
            let admission = try await admit(caller, to: .read(options.kinds.map { Set($0) }, .read), on: record)
            let question = Question(form: form, options: options, right: admission.right, sight: admission.sight)
            var rendered: RenderedAnswer
            if options.asOf == nil, let kept = cache.answer(to: question, of: record) {
                rendered = kept.rendered
                if form == .record, admission.right == .owner { rendered.asOf = try stamp(at: kept.position) }
            } else {
                rendered = try self.rendered(admission, options, question, render)
            }
            try await trace(
                caller,
                admission,
                Shown(rendered.entryCount, options, admission, asOf: rendered.position)
            )
            return rendered
        }
    }

    private func rendered(
        _ admission: Admission,
        _ options: ReadOptions,
        _ question: Question,
        _ render: (RecordAnswer) -> [UInt8]
    ) throws -> RenderedAnswer {
        let position = try log.position(asOf: options.asOf)
        let answer = try answer(admission, options, asOf: position)
        let rendered = RenderedAnswer(
            bytes: render(answer),
            asOf: answer.asOf,
            version: answer.version,
            entryCount: answer.state.entries.count,
            position: position
        )
        // The past stays as it was, but is seldom asked for twice.
        if options.asOf == nil {
            try cache.keep(admission.record, asOf: position, log) { $0?.keep(rendered, to: question) }
        }
        return rendered
    }
}
