/// The most that a token permits; the rights of its account limit it further.
///
/// A scope is one declaration here and its place in `all`: storage, parsing, permissions, forms and schemas are derived
/// from it.
package struct TokenScope: Hashable, Sendable {
    /// A group of actions that scopes permit or not.
    package enum Permission: Hashable, Sendable {
        /// Read entries and events of other tools.
        case read
        /// Read who has or had access, who read what, and who changed what.
        case audit
        /// Add entries, and append events of other tools.
        case append
        /// Correct, change, retract and restore entries.
        case change
        /// Register devices, and fetch events to use them offline.
        case sync
        /// Everything else.
        case manage
    }

    package struct Definition: Hashable, Sendable {
        /// The name in requests, documents and stored events; permanent.
        package let name: String
        /// What it permits, in words.
        package let label: String
        package let permissions: Set<Permission>
        /// The kinds of accounts whose tokens can have the scope.
        package let accounts: Set<AccountKind>
        /// Whether the scope can be limited to one category, as in `append:weight`.
        package let takesCategory: Bool
    }

    package static let append = TokenScope("append", "only add", [.append], for: [.person, .tool], takesCategory: true)
    package static let audit = TokenScope("audit", "only read the audit trail", [.audit], for: [.person, .auditor])
    package static let read = TokenScope("read", "only read", [.read, .audit], for: [.person, .auditor])
    /// For devices that work offline.
    package static let sync = TokenScope(
        "sync",
        "read and change entries, on a device that works offline",
        [.read, .append, .change, .sync],
        for: [.person]
    )
    /// Sessions and commands on a local folder have this scope too.
    package static let full = TokenScope(
        "full",
        "everything that the account may do",
        [.read, .audit, .append, .change, .sync, .manage],
        for: [.person, .administrator]
    )

    /// All scopes without a category, the narrowest first.
    package static let all = [append, audit, read, sync, full]

    package let definition: Definition
    /// The category of streams, or the name of the kind of entries, that the scope is limited to; nil for any.
    package let category: String?

    private init(
        _ name: String,
        _ label: String,
        _ permissions: Set<Permission>,
        for accounts: Set<AccountKind>,
        takesCategory: Bool = false
    ) {
        definition = Definition(
            name: name,
            label: label,
            permissions: permissions,
            accounts: accounts,
            takesCategory: takesCategory
        )
        category = nil
    }
}

extension TokenScope: CustomStringConvertible {
    /// The pattern of a category: letters, digits and `.-_/`, at most 100 characters.
    package static let categoryPattern = "[A-Za-z0-9._/-]{1,100}"

    /// The valid texts, such as `append, append:CATEGORY, audit, read or full`.
    package static let syntax = all.flatMap { $0.definition.takesCategory ? ["\($0)", "\($0):CATEGORY"] : ["\($0)"] }
        .alternatives

    /// Parses the name of a scope, which a colon and a category can follow if the scope takes one.
    package init(parsing text: String) throws(ModelError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let category = parts.count == 2 ? String(parts[1]) : nil
        guard let scope = TokenScope.all.first(where: { $0.definition.name == parts[0] }),
            category.map({ scope.definition.takesCategory && $0.isCategory }) ?? true
        else { throw ModelError(.invalid, field: "scope", "must be \(TokenScope.syntax)") }
        definition = scope.definition
        self.category = category
    }

    package var description: String { category.map { "\(definition.name):\($0)" } ?? definition.name }

    /// The scopes that tokens of accounts of a kind can have, the narrowest first.
    package static func all(for kind: AccountKind) -> [TokenScope] {
        all.filter { $0.definition.accounts.contains(kind) }
    }

    /// Throws if tokens of accounts of a kind cannot have the scope.
    package func validate(for kind: AccountKind) throws(ModelError) {
        guard !definition.accounts.contains(kind) else { return }
        let possible = TokenScope.all(for: kind).map(\.description)
        throw ModelError(
            .invalid,
            field: "scope",
            "a token of an account of the kind \(kind.name) must have the scope \(possible.alternatives)"
        )
    }
}

extension [String] {
    /// The texts as alternatives in a sentence: `a`, `a or b`, `a, b or c`.
    fileprivate var alternatives: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}

extension String {
    fileprivate var isCategory: Bool {
        (1...100).contains(utf8.count) && utf8.allSatisfy { $0.isLetterOrDigit || ".-_/".utf8.contains($0) }
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII letter or digit.
    fileprivate var isLetterOrDigit: Bool {
        isDigit || isLetter
    }
}
