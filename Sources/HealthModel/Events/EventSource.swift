/// The interface through which an event was appended; the raw value is the stable code in a frame's header.
package enum EventSource: UInt16, CaseIterable, Sendable {
    case commandLine = 1
    case http = 2
    case `import` = 3
    case sample = 4
    /// The ingest interface, with which a tool appends events over HTTP, over a pipe or in process.
    case ingest = 5
    case system = 6

    /// The stable name in audit trails and in the feed.
    package var name: String {
        switch self {
        case .commandLine: "commandLine"
        case .http: "http"
        case .import: "import"
        case .sample: "sample"
        case .ingest: "door"
        case .system: "system"
        }
    }
}
