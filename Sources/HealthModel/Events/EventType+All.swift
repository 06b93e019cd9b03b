extension EventType {
    /// The data of all types of events, in ascending order of their codes.
    static let data: [any EventData.Type] = [
        JournalCreated.self,
        JournalAccepted.self,
        JournalBackedUp.self,
        JournalRestored.self,
        MasterKeyRotated.self,

        AccountAdded.self,
        TokenIssued.self,
        TokenRevoked.self,
        PasswordSet.self,
        SessionBegun.self,
        SessionEnded.self,
        TokenUsed.self,
        IdentityLinked.self,
        IdentityUnlinked.self,
        ProfileSet.self,

        RecordCreated.self,
        RecordChanged.self,
        RecordClosed.self,
        RecordHeld.self,
        RecordErased.self,
        RecordOwnerAdded.self,
        RecordOwnerRemoved.self,
        RecordTransferred.self,

        EntryAdded.self,
        EntryCorrected.self,
        EntryRetracted.self,
        EntryRestored.self,
        PlanChanged.self,

        CaregiverGranted.self,
        CaregiverRevoked.self,
        CaregiverInvited.self,
        InvitationAccepted.self,
        InvitationWithdrawn.self,

        RecordRead.self,
        AccessDenied.self,
        EmergencyOpened.self,
        NoticeAcknowledged.self,
        // Code 54 is reserved for calendar feeds.
        AccessSummarised.self,

        ValueClaimed.self,
        ValueReleased.self,

        ExternalReceived.self,

        PreferencesSet.self,

        ClockAccepted.self,
    ]
}
