/// The limits of sending reminders.
///
/// One account takes a part of the attempts to one host, and one host a part of all attempts, so that neither delays the
/// reminders of others.
package struct ReminderLimits: Hashable, Sendable {
    /// The number of attempts in progress, in all, to one host, and for one account.
    package var parallel = 32
    package var perHost = 8
    package var perAccount = 3
    /// The number of attempts in progress to a host that does not answer several accounts.
    package var perSilentHost = 1
    /// From how many accounts without an answer on a host is taken for silent.
    package var silentAccounts = 2
    /// The number of reminders of one computation that are sent, in all and for one account; the rest stays due.
    package var queue = 10_000
    package var queuePerAccount = 1_000
    /// The number of critical reminders of one account that come before all reminders that are not critical.
    package var criticalTurns = 10
    /// How long a failed destination is left alone; doubled with each further failure.
    package var firstRest: Duration = .seconds(30)
    package var longestRest: Duration = .seconds(300)
    /// How long a reminder of a critical dose waits at most after a failure.
    package var longestCriticalRest: Duration = .seconds(60)
    /// How long a reminder waits whose destination was refused, which only the operator can change.
    package var refused: Duration = .seconds(3_600)
    /// How old a computation may be when its reminders are sent: rights, doses and channels may have changed since.
    package var roundAge: Duration = .seconds(5)
    /// The shortest time between two computations that follow sent reminders.
    package var roundInterval: Duration = .seconds(1)
    /// The longest time between two computations, because the machine's clock may be corrected.
    package var longestWait: Duration = .seconds(3_600)
    /// How long to wait after a failed computation, and while another process sends reminders.
    package var retry: Duration = .seconds(60)
    /// How long to wait before a sent reminder is recorded again that could not be recorded.
    package var recordingRetry: Duration = .seconds(5)
    /// The time that a host has to answer one attempt, its name included, and a program of e-mail to end.
    package var patience: Duration = .seconds(10)
    package var mailPatience: Duration = .seconds(30)
    /// How long attempts in progress may take when the service stops, before they are cancelled.
    package var stopping: Duration = .seconds(5)
    /// The number of channels whose failures are remembered for the pages.
    package var remembered = 10_000

    package init() {}
}
