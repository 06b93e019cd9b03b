import HealthJournal
import Logging
import ServiceLifecycle

/// Checks all records for interactions once a day, because the active medications change with time.
struct InteractionCheckService: Service {
    let journal: Journal
    let logger: Logger

    /// The first check comes after the requests of a start.
    private static let first: Duration = .seconds(60)
    private static let interval: Duration = .seconds(86_400)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var wait = InteractionCheckService.first
            while (try? await Task.sleep(for: wait)) != nil {
                wait = InteractionCheckService.interval
                do {
                    _ = try await journal.interactionChecks.scheduledCheck()
                } catch {
                    logger.error("the daily check for interactions failed")
                }
            }
        }
    }
}
