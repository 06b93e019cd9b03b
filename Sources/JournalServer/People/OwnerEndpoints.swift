package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// The owners of a record, and its transfer to another account.
package enum OwnerEndpoints: OperationGroup {
    package static let list = Endpoint(
        .get,
        "/v1/records/{record}/owners",
        id: "listOwners",
        "List who owns a record",
        tag: .owners,
        takes: .record,
        .query(.asOf, as: AsOf.self),
        returns: .list("owners", "Owners", "The owners."),
        problems: [.erased]
    ) { journal, caller, record, asOf in
        try await journal.sharing.owners(of: record, asOf: asOf, caller)
            .map { OwnerDocument(account: $0, name: journal.accounts.name(of: $0)) }
    }

    package static let add = Endpoint(
        .put,
        "/v1/records/{record}/owners/{account}",
        id: "addOwner",
        "Add an owner to a record",
        tag: .owners,
        takes: .record,
        .account,
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, record, account in
        try await journal.sharing.addOwner(account, to: record, caller)
    }

    package static let remove = Endpoint(
        .delete,
        "/v1/records/{record}/owners/{account}",
        id: "removeOwner",
        "Remove an owner from a record; the last one cannot be removed",
        tag: .owners,
        takes: .record,
        .account,
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, record, account in
        try await journal.sharing.removeOwner(account, from: record, caller)
    }

    package static let transfer = Endpoint(
        .post,
        "/v1/records/{record}/transfer",
        id: "transferRecord",
        "Transfer a record to another owner, for example when a pet is given away",
        tag: .owners,
        takes: .record,
        .newOwner,
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, record, account in
        try await journal.sharing.transfer(record, to: account, caller)
    }

    static let operations = [Operation(list), Operation(add), Operation(remove), Operation(transfer)]
}

extension RequestPart where Value == UUID {
    fileprivate static var newOwner: Self {
        .member("to", "Transfer", example: ("breeder", ["to": "01890a5d-ac96-774b-bcce-b302099a8057"]))
    }
}
