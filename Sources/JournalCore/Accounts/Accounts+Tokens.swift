internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents

extension Journal.Accounts {
    /// Returns the tokens of the caller's own account, or of any account for callers who run the journal.
    ///
    /// They are in the order in which they were issued.
    package func tokens(of account: UUID, _ caller: Caller) async throws(JournalError) -> [TokenState] {
        do {
            try await journal.access.admit(caller, to: action(.manageCredentials, ofAccount: account, caller))
            return try self.account(account).tokens.values
                .sorted { $0.issued.position < $1.issued.position }
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns when a token was last used; nil if never.
    ///
    /// A use in this process is known exactly, a use in another process within a day.
    package func lastUse(of token: TokenState) -> Instant? {
        [journal.directory.lastUse(of: token.id).map { Instant(microseconds: $0) }, token.used?.recordedAt]
            .compactMap(\.self)
            .max()
    }

    /// Records in the log that the caller's token is in use, at most once a day.
    ///
    /// This is enough to find tokens that are no longer used.
    package func keepUse(by caller: Caller) async {
        guard let token = caller.token, !journal.directory.isUseRecorded(of: token, at: journal.log.now()),
            let state = try? journal.directory.account(caller.account, journal.log, journal.permissions)?.tokens[token],
            journal.directory.claimUseRecording(
                of: token,
                at: journal.log.now(),
                recordedBefore: state.used?.recordedAt.microseconds
            )
        else { return }
        do {
            var change = try Change(besides: journal, caller)
            try change.add(.tokenUsed(token), in: .own(caller.account))
            _ = try await change.commit()
        } catch {
            // Recording the use is not part of the request, so its failure must not fail the request.
            return
        }
    }
}
