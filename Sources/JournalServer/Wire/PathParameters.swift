import FoundationEssentials
import HealthJournal
import HealthModel
import Hummingbird

/// What knows the parameters in the path of a request's address.
protocol PathParameters {
    var parameters: Parameters { get }
}

extension ServerContext: PathParameters {}

extension PathParameters {
    /// The record that the address names.
    func record() throws -> UUID { try id("record") }

    func entry() throws -> UUID { try id("entry") }

    func account() throws -> UUID { try id("account") }

    func token() throws -> UUID { try id("token") }

    func session() throws -> UUID { try id("session") }

    func identity() throws -> UUID { try id("identity") }

    func invitation() throws -> UUID { try id("invitation") }

    func calendar() throws -> UUID { try id("calendar") }

    func channel() throws -> UUID { try id("channel") }

    func device() throws -> UUID { try id("device") }

    func practice() throws -> UUID { try id("practice") }

    func specialist() throws -> UUID { try id("specialist") }

    func appointment() throws -> UUID { try id("appointment") }

    func triage() throws -> UUID { try id("triage") }

    /// The position of the event that kept another version of an entry.
    func divergence() throws -> UInt64 {
        guard let position = parameters.get("divergence").flatMap(UInt64.init), position <= UInt64(Int.max) else {
            throw JournalError(.notFound, "there is no such version of an entry")
        }
        return position
    }

    /// The PDF job that the address names.
    func job() throws -> UUID { try id("job") }

    func kind() throws -> Kind {
        guard let kind = parameters.get("kind").flatMap(Kind.named) else {
            throw JournalError(
                .notFound,
                "there is no such kind; the kinds are \(Kind.all.map(\.name).joined(separator: ", "))"
            )
        }
        return kind
    }

    /// Ids in addresses must be complete: prefixes are not accepted.
    func id(_ name: String) throws -> UUID {
        guard let id = parameters.get(name).flatMap(UUID.init(inAddress:)) else {
            throw JournalError(.notFound, "there is no such \(name)")
        }
        return id
    }
}
