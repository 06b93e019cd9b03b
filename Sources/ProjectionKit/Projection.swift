package import EventLog
package import LMDB

/// A view of the log: tables of its own, and how an event changes them.
package protocol Projection: Sendable {
    /// The stable name of its tables.
    static var name: String { get }
    /// Raised whenever rows would come out otherwise: the view is then built anew beside the old one.
    static var version: UInt64 { get }
    /// The names of its tables, in the order in which `ViewTables` numbers them.
    static var tables: [String] { get }

    /// Whether an event of this type code matters.
    func handles(type: UInt16) -> Bool

    /// Takes one event in. Called once for each event, in order, in the transaction that also moves the checkpoint.
    func apply(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws
}

/// The tables of one projection, by their number.
package struct ViewTables: Sendable {
    let tables: [Table]

    package subscript(number: Int) -> Table { tables[number] }
}
