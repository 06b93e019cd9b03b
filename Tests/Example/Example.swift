import Foundation
import HealthJournal

/// Logs a weight, reads the record as it was before, verifies the log and prints what happened.
@main
enum Example {
    static func main() async throws {
        let journal = try EmbeddedJournal(folder: CommandLine.arguments[1], reason: "the example of the guide")
        defer { journal.close() }
        guard let (record, name) = try await journal.records().first else { return print("there is no record yet") }

        let before = try journal.size
        let logged = try await journal.append(
            """
            {"specversion": "1.0", "id": "\(UUID())", "source": "/kitchen/scale", \
            "type": "org.healthjournal.weight.logged", "subject": "\(record)", "data": {"value": 75.4, "unit": "kg"}}
            """
        )
        print("logged a weight of \(name) at position \(logged.position)")

        let (then, now) = (try await journal.read(record, asOf: .position(before)), try await journal.read(record))
        print("the record had \(then.utf8.count) bytes and has \(now.utf8.count) now")

        for try await event in journal.events(after: before) {
            print("\(event.position) \(event.type)")
            if event.position == logged.position { break }
        }

        let verified = try await journal.verify()
        print("\(verified.size) events, \(verified.faultCount) faults, root \(verified.root)")
    }
}
