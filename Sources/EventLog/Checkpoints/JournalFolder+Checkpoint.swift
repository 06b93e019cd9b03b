extension JournalFolder {
    /// The newest checkpoint of the log, a signed note.
    package var checkpoint: String { path + "/checkpoint" }
    /// The public key that verifies checkpoints, as text; readable without the master key.
    package var verifierKey: String { keys + "/checkpoint.vkey" }
}
