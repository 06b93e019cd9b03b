internal import EventLog
internal import HealthModel

extension Journal {
    /// Appends that a file was loaded, and stores the file; does nothing if the same file is current.
    package func load<File, Prepared>(
        _ file: File,
        _ bytes: [UInt8],
        into files: LoadedFiles<File, Prepared>,
        limit: Int? = nil,
        _ caller: Caller
    ) async throws -> WriteResult {
        let stream = log.description.id
        let expected = try log.version(of: stream)
        let current = try files.current(in: log, asOf: log.head())
        let known = current.first { $0.file.name == file.name }
        if let known, known.file == file { return .existing(at: known.stamp.position) }
        if let limit, known == nil, current.count >= limit {
            throw JournalError(.conflict, "\(limit) files are loaded already: replace one of them, by its name")
        }
        _ = try log.blobs.put(bytes, subject: stream)
        var change = try Change(self, caller)
        try change.add(JournalEvent(file), in: .own(stream), expecting: .exact(expected))
        return try await change.commit(answering: .created())
    }
}
