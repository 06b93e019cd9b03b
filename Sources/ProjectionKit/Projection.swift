package import EventLog
package import LMDB

/// A projection of the log: the tables it owns and how each event changes them.
package protocol Projection: Sendable {
    /// The stable name from which the names of its tables are built.
    static var name: String { get }
    /// The version of the row format.
    ///
    /// Raise it whenever the same events would produce different rows. The view is then rebuilt beside the old one.
    static var version: UInt64 { get }
    /// The names of its tables, in the order in which `ViewTables` numbers them.
    static var tables: [String] { get }

    /// Reports whether the projection processes events of this type code.
    func handles(type: UInt16) -> Bool

    /// Applies one event to the tables.
    ///
    /// Called once for each event, in log order, in the transaction that also advances the checkpoint.
    func apply(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws
}

/// The tables of one projection, indexed by number.
package struct ViewTables: Sendable {
    let tables: [Table]

    package subscript(number: Int) -> Table { tables[number] }
}
