extension EventType {
    /// The data of all types of events, in ascending order of their codes.
    static let data: [any EventData.Type] = [
        JournalCreated.self,
        JournalAccepted.self,
        JournalBackedUp.self,
        JournalRestored.self,
        MasterKeyRotated.self,
        RulesLoaded.self,
        NamesLoaded.self,

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
        EntryDiverged.self,
        DivergenceSettled.self,

        CaregiverGranted.self,
        CaregiverRevoked.self,
        CaregiverInvited.self,
        InvitationAccepted.self,
        InvitationWithdrawn.self,
        CalendarLinked.self,
        CalendarUnlinked.self,

        RecordRead.self,
        AccessDenied.self,
        EmergencyOpened.self,
        NoticeAcknowledged.self,
        // Code 54 is not used: a fetch of a calendar feed is a read with an action of its own.
        AccessSummarised.self,

        ValueClaimed.self,
        ValueReleased.self,

        ExternalReceived.self,

        DoseSnoozed.self,
        ReminderSent.self,

        PreferencesSet.self,
        SubscriptionSet.self,
        ChannelAdded.self,
        ChannelRemoved.self,
        DeviceAdded.self,
        DeviceRemoved.self,

        ClockAccepted.self,
    ]
}
