/// One or more charts, and the same numbers as tables.
package struct ChartContent: Sendable {
    package struct Chart: Sendable {
        package let caption: String?
        package let svg: String
        package let legend: String?
    }

    package struct Table: Sendable {
        package let title: String
        package let columns: [Column]
        package let rows: [Row]
        package let isOpen: Bool
        /// The address of the remaining rows.
        package let moreAddress: String?
    }

    package struct Column: Sendable {
        package let label: String
        package let isNumber: Bool

        init(_ label: String, isNumber: Bool = false) {
            self.label = label
            self.isNumber = isNumber
        }
    }

    package struct Row: Sendable {
        package let cells: [Cell]
        package let isSum: Bool
    }

    package struct Cell: Sendable {
        package let text: String
        package let address: String?
        package let isNumber: Bool

        init(_ text: String, address: String? = nil, isNumber: Bool = false) {
            self.text = text
            self.address = address
            self.isNumber = isNumber
        }
    }

    /// An alternative unit in which the chart can be shown.
    package struct Choice: Sendable {
        package let address: String
        package let label: String
        package let isCurrent: Bool
    }
}
