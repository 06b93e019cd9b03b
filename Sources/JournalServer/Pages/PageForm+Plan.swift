import Crypto
import Foundation

/// What a submitted form of a plan contains.
extension PageForm {
    /// Whether a button was pressed that only shows other fields: those of the chosen pattern, or another time of day.
    var showsFields: Bool { ["pattern", "times"].contains(self["step"]) }

    /// The typed values of a plan, with the days of the week in one value.
    var planValues: [String: String] {
        var values = values
        values["weekdays"] = several("weekdays").joined(separator: ",")
        return values
    }

    /// Identifies the values, so that the saved values are the checked ones.
    ///
    /// An empty field is as one that another pattern does not have.
    var planDigest: String {
        let others: Set = ["formToken", "key", "checked", "version", "step", "text", "voice"]
        let fields = planValues.filter { !others.contains($0.key) && !$0.value.isEmpty }.sorted { $0.key < $1.key }
        let text = fields.map { "\($0.key.utf8.count):\($0.key)\($0.value.utf8.count):\($0.value)" }.joined()
        return Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
