/// Through which door an event came in, as the stable code in a frame's header.
package enum EventSource: UInt16, CaseIterable, Sendable {
    case commandLine = 1
    case http = 2
    case `import` = 3
    case sample = 4
    /// A tool that appends, over a pipe or in process.
    case door = 5
    case system = 6

    package var name: String { String(describing: self) }
}
