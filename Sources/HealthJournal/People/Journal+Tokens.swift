internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents

extension Journal {
    /// The tokens of the caller's own account, or of any for those who run the journal, in the order of their making.
    package func tokens(of account: UUID, _ caller: Caller) async throws(JournalError) -> [TokenState] {
        do {
            _ = try await actsForItself(account, caller)
            return try self.account(account).tokens.values.sorted { $0.issued.position < $1.issued.position }
        } catch {
            throw JournalError(error)
        }
    }

    /// When a token was last shown: to this process to the second, to others to the day; nil if never.
    package func lastUse(of token: TokenState) -> Instant? {
        [directory.lastUse(of: token.id).map { Instant(microseconds: $0) }, token.used?.recordedAt].compactMap(\.self)
            .max()
    }

    /// Tells the log that the caller's token is in use, at most once a day: enough to find those that nobody needs.
    package func keepUse(by caller: Caller) async {
        guard let token = caller.token, !directory.isTold(of: token, at: log.now()),
            let state = try? directory.account(caller.account, log, permissions)?.tokens[token],
            directory.takesTelling(of: token, at: log.now(), toldBefore: state.used?.recordedAt.microseconds)
        else { return }
        do {
            var change = try Change(besides: self, caller)
            try change.add(.tokenUsed(token), stream: caller.account, subject: caller.account)
            _ = try await change.commit()
        } catch {
            // It is no part of what was asked for, and is not to stand in its way.
            return
        }
    }
}
