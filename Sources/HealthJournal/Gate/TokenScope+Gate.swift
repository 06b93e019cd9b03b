package import HealthModel

extension TokenScope {
    /// Whether a token of this scope lets its bearer do something, if the account itself may.
    ///
    /// Entries are of the category that their kind names.
    package func admits(_ action: Action) -> Bool {
        switch (self, action) {
        case (.full, _), (.read, .read), (.read, .audit), (.audit, .audit): true
        case (.read, .follow), (.read, .see), (.read, .oversee), (.audit, .follow), (.audit, .oversee): true
        case (.append(let category), .contribute(let kind, .adding)): category.map { $0 == kind.name } ?? true
        case (.append(let category), .append(let asked)): category.map { $0 == asked } ?? true
        case (.read, _), (.append, _), (.audit, _): false
        }
    }

    static let refusal = "the token does not let its bearer do that"
}

extension Journal {
    /// Requires a token that lets its bearer do all that the account may: for what concerns no one record.
    func requireScope(_ caller: Caller, to action: AccessAction = .manage) async throws {
        guard caller.scope == .full else { throw try await refusal(of: caller, action, because: TokenScope.refusal) }
    }
}
