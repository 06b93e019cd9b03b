/// How reminders leave the service.
package struct ReminderSettings: Hashable, Sendable {
    /// The hosts to which HTTP requests may be sent; none by default.
    package var hosts = ReminderHosts()
    /// The program that sends e-mail, with the interface of sendmail; nil if no e-mail is sent.
    package var sendmail: String?
    /// The address by which browsers reach the service, for links; nil if texts contain no link.
    package var publicURL: String?

    package init() {}
}
