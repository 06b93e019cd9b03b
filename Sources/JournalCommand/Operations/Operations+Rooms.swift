import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalOperation where Result == [BlockedTime] {
    static func blockedTimes(of room: UUID, in practice: UUID) -> Self {
        Self {
            try await $0.journal.blockedTimes(of: room, in: practice, $0.caller)
        } remote: {
            try await $0.list("blocked", .get("practices", practice.text, "rooms", room.text, "blocked"))
        }
    }
}

extension JournalOperation where Result == WriteResult {
    static func block(_ block: BlockedTime, _ room: UUID, of practice: UUID) -> Self {
        Self {
            try await $0.journal.blockRoom(block, room, in: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "rooms", room.text, "blocked", block.id.text]
            return try await $0.write(.write(.put, at: path, query: $0.reasonQuery, body: block.request))
        }
    }

    static func unblock(_ block: UUID, _ room: UUID, of practice: UUID) -> Self {
        Self {
            try await $0.journal.unblockRoom(block, room, in: practice, $0.caller)
        } remote: {
            let path = ["practices", practice.text, "rooms", room.text, "blocked", block.text]
            return try await $0.write(.write(.delete, at: path, query: $0.reasonQuery))
        }
    }
}
