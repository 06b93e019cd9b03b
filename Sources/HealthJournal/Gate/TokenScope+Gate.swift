package import HealthModel

extension TokenScope {
    /// Reports whether a token of this scope permits an action, provided that the account itself may perform it.
    ///
    /// For the scope `append`, the category of an entry is the name of its kind.
    package func admits(_ action: Action) -> Bool {
        switch (self, action) {
        case (.full, _), (.read, .read), (.read, .readPast), (.read, .audit), (.audit, .audit): true
        case (.read, .follow), (.read, .see), (.read, .oversee), (.audit, .follow), (.audit, .oversee): true
        case (.append(let category), .contribute(let kind, .adding)): category.map { $0 == kind.name } ?? true
        case (.append(let category), .append(let asked)): category.map { $0 == asked } ?? true
        case (.read, _), (.append, _), (.audit, _): false
        }
    }

    static let refusal = "the token's scope does not permit that"
}

extension Journal {
    /// Requires a token of full scope, for actions that concern no single record.
    func requireScope(_ caller: Caller, to action: AccessAction = .manage) async throws {
        guard caller.scope == .full else { throw try await refusal(of: caller, action, reason: TokenScope.refusal) }
    }
}
