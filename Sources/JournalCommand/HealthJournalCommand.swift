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
        groupedSubcommands: [
            CommandGroup(
                name: "Getting started",
                subcommands: [InitCommand.self, SampleCommand.self]
            ),
            CommandGroup(
                name: "Daily",
                subcommands: [
                    WeightCommand.self, TodayCommand.self, DoseCommands.self, DueCommand.self, EntryCommands.self,
                    UndoCommand.self, SearchCommand.self, PlanCommands.self, StockCommands.self,
                    AdherenceCommand.self, InteractionCommands.self, ReminderCommands.self, CalendarCommands.self,
                    DocumentCommands.self, CostsCommand.self, ZoneCommands.self, DraftCommand.self,
                    SuggestCommand.self,
                ]
            ),
            CommandGroup(
                name: "Records and sharing",
                subcommands: [
                    RecordCommands.self, CaregiverCommands.self, NoticesCommands.self, AccountCommands.self,
                    TokenCommands.self, EraseCommand.self,
                ]
            ),
            CommandGroup(
                name: "Clinic",
                subcommands: [
                    PracticeCommands.self, SpecialistCommands.self, ClientGroup.self, PatientCommands.self,
                    SlotsCommand.self, BookCommand.self, AppointmentsCommand.self, AppointmentCommands.self,
                    WaitingGroup.self, RecallsCommand.self, TriageGroup.self,
                ]
            ),
            CommandGroup(
                name: "Exchange",
                subcommands: [
                    ImportCommand.self, ExportCommand.self, AppendCommand.self, NameCommands.self,
                    ReplicaCommands.self, SyncReplicaCommand.self, DivergencesCommand.self, SettleCommand.self,
                ]
            ),
            CommandGroup(
                name: "Audit and log",
                subcommands: [
                    LogCommands.self, WitnessCommands.self, AcceptLogCommand.self, AcceptClockCommand.self,
                ]
            ),
            CommandGroup(
                name: "Operation",
                subcommands: [
                    ServeCommand.self, BackupCommand.self, RestoreCommand.self, DoctorCommand.self, KeysCommand.self,
                    ViewsCommand.self, WordsCommand.self,
                ]
            ),
        ]
    )
}
