internal import HealthModel
package import Interchange
internal import JournalCore

extension ImportReport {
    /// Returns each change that the import made, or would make on a trial run, as JSON.
    package func json(isTrial: Bool) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("record", .string(record.text)), .init("newRecord", .bool(isNewRecord)),
            .init("profileChanged", .bool(isProfileChanged)), .init("added", .integer(added)),
            .init("corrected", .integer(corrected)), .init("unchanged", .integer(unchanged)),
            .init("retracted", .integer(retracted)), .init("kept", .integer(kept)), .init("older", .integer(older)),
            .init("changes", .array(changes.map(\.json))),
            .init("unrepresented", .array(unrepresented.map { .string($0) })),
            .init("dryRun", .bool(isTrial)),
        ]
        if !contradictions.isEmpty {
            members.append(.init("contradictions", .array(contradictions.map { .string($0) })))
        }
        if !faults.isEmpty {
            let listed = faults.map { fault -> JSONValue in
                .present([
                    "path": fault.error.field.map { .string($0) }, "message": .string(fault.error.message),
                    "kept": .bool(fault.isKept),
                ])
            }
            members.append(.init("faults", .array(listed)))
        }
        if !skipped.isEmpty {
            members.append(.init("skipped", .array(skipped.map { .string($0) })))
        }
        if !doubts.isEmpty {
            let listed = doubts.map { item -> JSONValue in
                [
                    "entry": .string(item.entry.text), "path": .string(item.path),
                    "reason": .string(item.doubt.reason.rawValue), "text": .string(item.doubt.text),
                ]
            }
            members.append(.init("doubts", .array(listed)))
        }
        if !missingFiles.isEmpty {
            members.append(.init("missingFiles", .array(missingFiles.map { .string($0.text) })))
        }
        if !foreign.isEmpty {
            let types = foreign.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .integer($0.value)) }
            members.append(.init("foreign", .object(types)))
        }
        let counts = [
            ("unresolvedReferences", unresolved), ("partialDates", partialDates),
            ("possibleDuplicates", possibleDuplicates),
        ]
        for (name, count) in counts where count > 0 { members.append(.init(name, .integer(count))) }
        if let account { members.append(.init("account", .string(account.text))) }
        if let position { members.insert(.init("position", .integer(position)), at: 0) }
        return .object(members)
    }
}

extension ImportChange {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [.init("what", .string(what.rawValue))]
        if let kind { members.append(.init("kind", .string(kind.name))) }
        if let entry { members.append(.init("entry", .string(entry.text))) }
        if let sameAs { members.append(.init("sameAs", .string(sameAs.text))) }
        members.append(
            .init(
                "fields",
                .array(
                    fields.map { field in
                        .object([
                            .init("field", .string(field.path)),
                            .init("journal", field.before.map { .string($0) } ?? .null),
                            .init("document", field.after.map { .string($0) } ?? .null),
                        ])
                    }
                )
            )
        )
        return .object(members)
    }
}
