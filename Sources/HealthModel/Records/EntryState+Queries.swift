extension EntryState {
    package var isRetracted: Bool { retracted != nil }
    package var kind: Kind { content.kind }
}
