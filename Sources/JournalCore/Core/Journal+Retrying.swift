internal import EventLog
internal import ProjectionKit

extension Journal {
    /// The maximum number of attempts of a change that conflicts with concurrent changes.
    private static var attempts: Int { 5 }
    /// The maximum number of times that one request waits for views.
    private static var waits: Int { 20 }

    /// Runs a change, and runs it again if the state that it was decided on has changed meanwhile.
    ///
    /// All errors are converted to `JournalError`.
    package func retrying<Result>(_ body: () async throws -> Result) async throws(JournalError) -> Result {
        var conflict = EventLogError(.versionConflict, "this conflicts with concurrent changes; try again")
        for attempt in 1...Journal.attempts {
            do {
                return try await waitingForViews(body)
            } catch let error as EventLogError where error.code == .versionConflict {
                conflict = error
            } catch let error as EventLogError where error.code == .keyConflict && attempt < Journal.attempts {
                // The same request is being processed concurrently.
                continue
            } catch let error as EventLogError where error.code == .subjectErased && attempt < Journal.attempts {
                // A record is being erased: the next attempt finds it erased.
                try? await Task.sleep(for: .milliseconds(20 * attempt))
            } catch {
                throw JournalError(error)
            }
        }
        var error = JournalError(conflict)
        error.isConcurrent = true
        throw error
    }

    /// Runs `body`, and runs it again if it needed a view that could not be brought up to date at once.
    ///
    /// In a service, `body` runs on a thread of Swift's cooperative pool, which has one thread per processor. The view
    /// is brought up to date on a thread that may block.
    // Swift 6.3.1 crashes when it specializes this function for some of its closures in an optimised build.
    @_optimize(none)
    package func waitingForViews<Result>(_ body: () async throws -> Result) async throws -> Result {
        for _ in 0..<Journal.waits {
            do {
                return try await body()
            } catch {
                // A part of the operation may have converted the error.
                guard let view = (error as? ViewLagging)?.projection ?? (error as? JournalError)?.laggingView else {
                    throw error
                }
                await waitForView(view)
            }
        }
        return try await body()
    }
}
