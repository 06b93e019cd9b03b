package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// The devices that send changes, and the versions of entries that contradict each other.
package enum SyncEndpoints {
    package static let devices = Endpoint(
        .get,
        "/v1/devices",
        id: "listDevices",
        "List the devices of the account that may send changes",
        tag: .sync,
        returns: .list("devices", "Devices", "The devices, in the order in which they were added."),
        problems: [.refused]
    ) { journal, caller in
        try await journal.sync.devices(caller).map { DeviceDocument($0) }
    }

    package static let removeDevice = Endpoint(
        .delete,
        "/v1/devices/{device}",
        id: "removeDevice",
        "Remove a device, which sends nothing from the next request on",
        tag: .sync,
        takes: .id("device"),
        returns: .written,
        problems: [.refused, .conflict]
    ) { journal, caller, device in
        try await journal.sync.removeDevice(device, caller)
    }

    package static let divergences = Endpoint(
        .get,
        "/v1/records/{record}/divergences",
        id: "listDivergences",
        "List the versions of entries that contradict each other, until somebody decides",
        tag: .sync,
        takes: .record,
        returns: .list(
            "divergences",
            "Divergences",
            "The versions that are shown, and those that are kept beside them."
        ),
        problems: [.erased]
    ) { journal, caller, record in
        try await journal.sync.divergences(of: record, caller)
    }

    package static let settle = Endpoint(
        .post,
        "/v1/divergences/{divergence}",
        id: "settleDivergence",
        "Decide between two versions of an entry",
        description: """
            `keep` leaves what is shown, `take` shows the other version, and `both` makes two doses of two, or \
            one meal with the foods of both.
            """,
        tag: .sync,
        takes: .position("divergence", missing: "there is no such version of an entry" as Message),
        .choice,
        returns: .written,
        problems: [.conflict, .erased]
    ) { journal, caller, position, choice in
        try await journal.sync.settle(position, choice, caller)
    }
}

extension RequestPart where Value == DivergenceSettled.Choice {
    fileprivate static var choice: Self {
        .member("choice", "Settlement", example: ("keep", ["choice": "keep"]))
    }
}

extension DivergenceSettled.Choice: ParameterValue {}
