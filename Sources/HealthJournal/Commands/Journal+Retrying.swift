internal import EventLog

extension Journal {
    /// How often a change is decided anew when somebody else was faster.
    private static var attempts: Int { 5 }

    /// Runs a change that was decided on what the journal held, and decides anew if that has changed meanwhile.
    ///
    /// Errors come out as this layer has them.
    func retrying<Result>(_ body: () async throws -> Result) async throws(JournalError) -> Result {
        for attempt in 1...Journal.attempts {
            do {
                return try await body()
            } catch let error as EventLogError where error.code == .versionConflict && attempt < Journal.attempts {
                continue
            } catch let error as EventLogError where error.code == .keyConflict && attempt < Journal.attempts {
                // The same request is being answered beside this one.
                continue
            } catch let error as EventLogError where error.code == .subjectErased && attempt < Journal.attempts {
                // Somebody is erasing a record at this moment: decided anew, it is found erased.
                try? await Task.sleep(for: .milliseconds(20 * attempt))
            } catch {
                throw JournalError(error)
            }
        }
        throw JournalError(.conflict, "others are changing the same at this moment; try again")
    }
}
