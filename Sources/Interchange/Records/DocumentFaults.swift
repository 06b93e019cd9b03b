import HealthModel

/// The faults of a document, which are all reported at once.
struct DocumentFaults {
    /// The maximum number of faults that an error names.
    static let maximum = 100

    private(set) var first: [ModelError] = []
    private(set) var count = 0

    mutating func note(_ error: ModelError) {
        count += 1
        if first.count < Self.maximum { first.append(error) }
    }

    /// Throws one error that describes the faults, if there are any.
    func requireNone() throws(ModelError) {
        guard let only = first.first else { return }
        if count == 1 { throw only }
        let listed = first.map(\.description).joined(separator: "\n")
        let more = count > first.count ? "\nand \(count - first.count) more" : ""
        throw ModelError(.invalid, "the document has \(count) faults:\n\(listed)\(more)")
    }
}
