import ArgumentParser
import CommandRun

/// The root command of the command line.
@main
struct HealthJournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthjournal",
        abstract: "Keep a health journal of people and animals that shows what was known at any moment.",
        discussion: """
            Every change and every read is appended to a log; records, permissions and costs follow from it. \
            Start with:  healthjournal init && healthjournal sample && healthjournal record list

            WHEN is a position (#42), a time (2024-02-16T08:30 by the journal's clock, or 2024-02-16T07:30:00Z), or a \
            date (the end of that day).
            An id may be shortened to its first 8 or more characters where that is unique. \
            Shell completion:  healthjournal --generate-completion-script bash|zsh|fish \
            Exit status: 0 done, 1 failed, 2 not found, 3 done in part, 4 refused, 64 usage.
            """,
        version: ProgramVersion.current,
        subcommands: [
            InitCommand.self, SampleCommand.self, RecordCommands.self, EntryCommands.self, SearchCommand.self,
            UndoCommand.self,
            WeightCommand.self,
            PlanCommands.self, DueCommand.self, TodayCommand.self, DoseCommands.self, AdherenceCommand.self,
            StockCommands.self, ZoneCommands.self, InteractionCommands.self, CalendarCommands.self,
            ReminderCommands.self,
            SuggestCommand.self, DraftCommand.self, NameCommands.self, DivergencesCommand.self, SettleCommand.self,
            ReplicaCommands.self, SyncReplicaCommand.self,
            PracticeCommands.self, SpecialistCommands.self, PatientCommands.self, SlotsCommand.self, BookCommand.self,
            AppointmentsCommand.self, AppointmentCommands.self, TriageGroup.self, ClientGroup.self, WaitingGroup.self,
            RecallsCommand.self,
            DocumentCommands.self, CaregiverCommands.self, NoticesCommands.self,
            AccountCommands.self,
            TokenCommands.self,
            CostsCommand.self,
            AppendCommand.self, ImportCommand.self, ExportCommand.self, EraseCommand.self, BackupCommand.self,
            RestoreCommand.self, KeysCommand.self, ViewsCommand.self, DoctorCommand.self, AcceptLogCommand.self,
            AcceptClockCommand.self, LogCommands.self, WitnessCommands.self,
            ServeCommand.self, WordsCommand.self,
        ]
    )
}
