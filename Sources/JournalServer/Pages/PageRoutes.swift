import HealthJournal
import Hummingbird

/// The pages of one subject, such as those about plans.
protocol PageGroup: Sendable {
    var pages: Pages { get }

    init(pages: Pages)

    func add(to routes: PageRoutes)
}

extension PageGroup {
    var journal: Journal { pages.journal }
}

/// The routes of pages.
///
/// Each declares the parameters that its address may have; any other one is refused.
struct PageRoutes {
    typealias Handler = @Sendable (PageVisit) async throws -> Response

    let pages: Pages
    private let router: RouterGroup<ServerContext>

    init(_ pages: Pages, in router: RouterGroup<ServerContext>) {
        (self.pages, self.router) = (pages, router)
    }

    func group(_ path: RouterPath) -> PageRoutes { PageRoutes(pages, in: router.group(path)) }

    func get(_ path: RouterPath, query: [String] = [], _ handler: @escaping Handler) {
        router.get(path, use: visiting(query, handler))
    }

    func post(_ path: RouterPath, query: [String] = [], _ handler: @escaping Handler) {
        router.post(path, use: visiting(query, handler))
    }

    private func visiting(
        _ query: [String],
        _ handler: @escaping Handler
    ) -> @Sendable (Request, ServerContext) async throws -> Response {
        { [pages] request, context in
            try await handler(
                PageVisit(pages: pages, request: request, context: context, query: Query(request, query))
            )
        }
    }
}
