internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore

/// The devices of an account that send changes which were made offline.
extension Journal.Sync {
    /// Registers a device of the caller's own account, and returns its id.
    package func addDevice(
        named name: String,
        _ caller: Caller
    ) async throws(JournalError) -> (id: UUID, write: WriteResult) {
        try await journal.retrying {
            try await journal.access.admit(caller, to: .account(.manageDevices, .own))
            if let given = try journal.eventGiven(to: caller), let added = given.event.data as? DeviceAdded {
                return (added.device, WriteResult(position: given.stamp.position, account: caller.account))
            }
            let id = UUID.timeOrdered(at: journal.log.now())
            return (id, try await journal.accounts.changeAccount(caller.account, .addDevice(id, name: name), caller))
        }
    }

    /// Removes a device of the caller's own account; it sends nothing from the next request on.
    package func removeDevice(_ device: UUID, _ caller: Caller) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            try await journal.access.admit(caller, to: .account(.manageDevices, .own))
            return try await journal.accounts.changeAccount(caller.account, .removeDevice(device), caller)
        }
    }

    /// Returns the devices of the caller's own account, in the order in which they were added.
    package func devices(_ caller: Caller) async throws(JournalError) -> [DeviceState] {
        try await journal.retrying {
            try await journal.access.admit(caller, to: .account(.manageDevices, .own))
            return try journal.accounts.account(caller.account).devices.values
                .sorted { $0.added.position < $1.added.position }
        }
    }
}
