/// How an event changes the entry that it is about.
package enum EntryEffect: Hashable, Sendable {
    /// Adds the entry with its content.
    case adds
    /// Replaces the content.
    case replaces
    case retracts
    case restores
    /// Keeps another version beside the one that is shown, or decides between them.
    case annotates
    /// Makes the content unreadable for good, as of every moment.
    case erases
}
