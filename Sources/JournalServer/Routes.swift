import HealthJournal
import Hummingbird
import Interchange
import JournalPages

/// Operations of one subject.
protocol OperationGroup: Sendable {
    /// The operations of the group, in the order in which the description shows them.
    static var operations: [Operation] { get }
    /// The schemas that only operations of this group refer to.
    static var schemas: [JSONValue.Member] { get }
}

extension OperationGroup {
    static var schemas: [JSONValue.Member] { [] }
}

/// A group of routes: its operations, and their handlers, which are methods of the group.
protocol Routes: OperationGroup {
    var services: Services { get }
    init(services: Services)
}

extension Routes {
    var journal: Journal { services.journal }
}

/// The dependencies of the handlers.
struct Services: Sendable {
    let journal: Journal
    let provider: OpenIDProvider?
    let cookie: SessionCookie
    let meter: RequestMeter
    let renders: RenderLimiters
    let long: LongRequests
    let languages: Languages
    let ingest: IngestLimits
    let streams: ConcurrencyLimiter
    /// Limits concurrent forms with a file, which are held in memory until they are processed.
    let uploads = ConcurrencyLimiter("uploads", total: BodyLimits.forms, perAccount: BodyLimits.formsPerAccount)
    let reminders: ReminderSender
    /// Who is shown the metrics.
    var metrics: MetricsAccess
    /// Counts requests for calendars that do not exist, by network.
    let calendarFailures: SignInLimiter
}

extension Router<ServerContext> {
    /// Adds the routes of all operations.
    ///
    /// Requests to paths under `/v1` are authenticated. An operation that is not public requires a caller before
    /// anything else is checked.
    func addOperations(_ services: Services, _ authentication: AuthenticationMiddleware) {
        let authenticated = group().add(middleware: authentication)
        let withCaller = authenticated.group().add(middleware: CallerMiddleware())
        var added: [String: Operation] = [:]
        for operation in OpenAPI.operations {
            let name = "\(operation.method) \(operation.template)"
            // The description has an operation for each kind, and the router one route for all of them.
            if let first = added[name] {
                precondition(operation.hasSameChecks(as: first), "operations of one route differ: \(name)")
                continue
            }
            added[name] = operation
            let (path, handler) = (RouterPath(operation.template), operation.checkedHandler(services))
            if !operation.isPublic {
                withCaller.on(path, method: operation.method, use: handler)
            } else if operation.template.hasPrefix("/v1/") {
                authenticated.on(path, method: operation.method, use: handler)
            } else {
                on(path, method: operation.method, use: handler)
            }
        }
    }
}
