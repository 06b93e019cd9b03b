import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

struct RoomBlockCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block a time of a room, such as for a repair; nothing can be booked in it then.",
        discussion: """
            Example:  healthjournal practice room block Surgery --from 2027-03-02T08:00 --until 2027-03-02T17:00
            Appointments that have the room then must be moved first: healthjournal appointments --room Surgery
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The room, by name or id.")
    var room: String

    @Option(name: .long, help: "The start, by the practice's clock.")
    var from: TypedTime

    @Option(name: .long, help: "The end, by the practice's clock.")
    var until: TypedTime

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let block = BlockedTime(id: UUID(), span: try found.span(from, until, session))
        let result = try await session.perform(PracticeEndpoints.block, found.id, found.place(room), block)
        session.output.result(result, "blocked: \(block.id.text)")
    }
}

struct RoomUnblockCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Make a blocked time of a room free again.",
        discussion: "Example:  healthjournal practice room unblock Surgery 018f2c3b-5f6a-7c3d-9e2b-1f4a6b7c8d9e"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The room, by name or id.")
    var room: String

    @Argument(help: "The blocked time, by its id or the first 8 or more characters of it.")
    var block: String

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let place = try found.place(room)
        let blocked = try await session.perform(PracticeEndpoints.blockedTimes, found.id, place)
            .one(block, "blocked time", "block") { ($0.id, "") }
        let result = try await session.perform(PracticeEndpoints.unblock, found.id, place, blocked.id)
        session.output.result(result, "free again")
    }
}

struct RoomBlockedCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "blocked",
        abstract: "List the times in which a room cannot be used.",
        discussion: "Example:  healthjournal practice room blocked Surgery"
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Argument(help: "The room, by name or id.")
    var room: String

    func run(in session: Session) async throws {
        let found = try await practice.document(in: session)
        let blocked = try await session.perform(PracticeEndpoints.blockedTimes, found.id, found.place(room))
        if session.output.isJSON { return session.output.json(.array(blocked.map(\.json))) }
        var table = TextTable([.init("FROM"), .init("UNTIL"), .init("ID")])
        for time in blocked {
            table.add([
                session.output.time(time.span.start), session.output.time(time.span.end), time.id.text,
            ])
        }
        session.output.table(table, ifEmpty: "the room has no blocked times")
    }
}
