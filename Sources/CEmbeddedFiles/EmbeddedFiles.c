#include "CEmbeddedFiles.h"
#include <string.h>

// Each file that the programs contain: its name, and its path from this folder.
#define FILE(text) if (strcmp(name, text) == 0) { static const unsigned char bytes[] = {
#define END }; return (EmbeddedFile){bytes, sizeof bytes}; }

EmbeddedFile embedded_file(const char *name) {
    FILE("substances.names")
#embed "../HealthModel/Names/substances.names"
    END
    FILE("starter.json")
#embed "../Interchange/Interactions/starter.json"
    END
    FILE("mappings.json")
#embed "../Interchange/CSV/mappings.json"
    END
    FILE("common.passwords")
#embed "../JournalCore/Accounts/common.passwords"
    END
    FILE("icon-180.png")
#embed "../JournalPages/Assets/icon-180.png"
    END
    FILE("icon-512.png")
#embed "../JournalPages/Assets/icon-512.png"
    END
    FILE("icon.svg")
#embed "../JournalPages/Assets/icon.svg"
    END
    FILE("journal.css")
#embed "../JournalPages/Assets/journal.css"
    END
    FILE("journal.js")
#embed "../JournalPages/Assets/journal.js"
    END
    FILE("offline.js")
#embed "../JournalPages/Assets/offline.js"
    END
    FILE("print.css")
#embed "../JournalPages/Assets/print.css"
    END
    FILE("print.typ")
#embed "../JournalPages/Assets/print.typ"
    END
    FILE("push.js")
#embed "../JournalPages/Assets/push.js"
    END
    FILE("worker.js")
#embed "../JournalPages/Assets/worker.js"
    END
    FILE("access.mustache")
#embed "../JournalPages/Templates/access.mustache"
    END
    FILE("accounts.mustache")
#embed "../JournalPages/Templates/accounts.mustache"
    END
    FILE("add.mustache")
#embed "../JournalPages/Templates/add.mustache"
    END
    FILE("adherence.mustache")
#embed "../JournalPages/Templates/adherence.mustache"
    END
    FILE("ahead.mustache")
#embed "../JournalPages/Templates/ahead.mustache"
    END
    FILE("appointment.mustache")
#embed "../JournalPages/Templates/appointment.mustache"
    END
    FILE("arrival.mustache")
#embed "../JournalPages/Templates/arrival.mustache"
    END
    FILE("as-needed.mustache")
#embed "../JournalPages/Templates/as-needed.mustache"
    END
    FILE("booking-head.mustache")
#embed "../JournalPages/Templates/booking-head.mustache"
    END
    FILE("booking.mustache")
#embed "../JournalPages/Templates/booking.mustache"
    END
    FILE("calendar-moment.mustache")
#embed "../JournalPages/Templates/calendar-moment.mustache"
    END
    FILE("calendar.mustache")
#embed "../JournalPages/Templates/calendar.mustache"
    END
    FILE("calendars.mustache")
#embed "../JournalPages/Templates/calendars.mustache"
    END
    FILE("caregivers.mustache")
#embed "../JournalPages/Templates/caregivers.mustache"
    END
    FILE("change.mustache")
#embed "../JournalPages/Templates/change.mustache"
    END
    FILE("channels.mustache")
#embed "../JournalPages/Templates/channels.mustache"
    END
    FILE("chart.mustache")
#embed "../JournalPages/Templates/chart.mustache"
    END
    FILE("charts.mustache")
#embed "../JournalPages/Templates/charts.mustache"
    END
    FILE("dose-details.mustache")
#embed "../JournalPages/Templates/dose-details.mustache"
    END
    FILE("dose-line.mustache")
#embed "../JournalPages/Templates/dose-line.mustache"
    END
    FILE("entry-line.mustache")
#embed "../JournalPages/Templates/entry-line.mustache"
    END
    FILE("entry.mustache")
#embed "../JournalPages/Templates/entry.mustache"
    END
    FILE("export.mustache")
#embed "../JournalPages/Templates/export.mustache"
    END
    FILE("field.mustache")
#embed "../JournalPages/Templates/field.mustache"
    END
    FILE("finding-card.mustache")
#embed "../JournalPages/Templates/finding-card.mustache"
    END
    FILE("form-block.mustache")
#embed "../JournalPages/Templates/form-block.mustache"
    END
    FILE("form.mustache")
#embed "../JournalPages/Templates/form.mustache"
    END
    FILE("home.mustache")
#embed "../JournalPages/Templates/home.mustache"
    END
    FILE("history.mustache")
#embed "../JournalPages/Templates/history.mustache"
    END
    FILE("import.mustache")
#embed "../JournalPages/Templates/import.mustache"
    END
    FILE("imports.mustache")
#embed "../JournalPages/Templates/imports.mustache"
    END
    FILE("interactions.mustache")
#embed "../JournalPages/Templates/interactions.mustache"
    END
    FILE("invitation.mustache")
#embed "../JournalPages/Templates/invitation.mustache"
    END
    FILE("kind.mustache")
#embed "../JournalPages/Templates/kind.mustache"
    END
    FILE("layout.mustache")
#embed "../JournalPages/Templates/layout.mustache"
    END
    FILE("level.mustache")
#embed "../JournalPages/Templates/level.mustache"
    END
    FILE("measure.mustache")
#embed "../JournalPages/Templates/measure.mustache"
    END
    FILE("medication.mustache")
#embed "../JournalPages/Templates/medication.mustache"
    END
    FILE("moment.mustache")
#embed "../JournalPages/Templates/moment.mustache"
    END
    FILE("offline.mustache")
#embed "../JournalPages/Templates/offline.mustache"
    END
    FILE("own-visit.mustache")
#embed "../JournalPages/Templates/own-visit.mustache"
    END
    FILE("patients.mustache")
#embed "../JournalPages/Templates/patients.mustache"
    END
    FILE("period.mustache")
#embed "../JournalPages/Templates/period.mustache"
    END
    FILE("plan-card.mustache")
#embed "../JournalPages/Templates/plan-card.mustache"
    END
    FILE("practice-day.mustache")
#embed "../JournalPages/Templates/practice-day.mustache"
    END
    FILE("practice-feeds.mustache")
#embed "../JournalPages/Templates/practice-feeds.mustache"
    END
    FILE("practice-head.mustache")
#embed "../JournalPages/Templates/practice-head.mustache"
    END
    FILE("practice-open.mustache")
#embed "../JournalPages/Templates/practice-open.mustache"
    END
    FILE("practice-print.mustache")
#embed "../JournalPages/Templates/practice-print.mustache"
    END
    FILE("practice-week.mustache")
#embed "../JournalPages/Templates/practice-week.mustache"
    END
    FILE("practices.mustache")
#embed "../JournalPages/Templates/practices.mustache"
    END
    FILE("preparing.mustache")
#embed "../JournalPages/Templates/preparing.mustache"
    END
    FILE("print-closing.mustache")
#embed "../JournalPages/Templates/print-closing.mustache"
    END
    FILE("print-opening.mustache")
#embed "../JournalPages/Templates/print-opening.mustache"
    END
    FILE("print-rows.mustache")
#embed "../JournalPages/Templates/print-rows.mustache"
    END
    FILE("problem.mustache")
#embed "../JournalPages/Templates/problem.mustache"
    END
    FILE("record-appointments.mustache")
#embed "../JournalPages/Templates/record-appointments.mustache"
    END
    FILE("record-head.mustache")
#embed "../JournalPages/Templates/record-head.mustache"
    END
    FILE("record.mustache")
#embed "../JournalPages/Templates/record.mustache"
    END
    FILE("refusal.mustache")
#embed "../JournalPages/Templates/refusal.mustache"
    END
    FILE("say.mustache")
#embed "../JournalPages/Templates/say.mustache"
    END
    FILE("search.mustache")
#embed "../JournalPages/Templates/search.mustache"
    END
    FILE("secret.mustache")
#embed "../JournalPages/Templates/secret.mustache"
    END
    FILE("sentence.mustache")
#embed "../JournalPages/Templates/sentence.mustache"
    END
    FILE("settings.mustache")
#embed "../JournalPages/Templates/settings.mustache"
    END
    FILE("severity.mustache")
#embed "../JournalPages/Templates/severity.mustache"
    END
    FILE("sheet.mustache")
#embed "../JournalPages/Templates/sheet.mustache"
    END
    FILE("sign-in.mustache")
#embed "../JournalPages/Templates/sign-in.mustache"
    END
    FILE("slot.mustache")
#embed "../JournalPages/Templates/slot.mustache"
    END
    FILE("stock.mustache")
#embed "../JournalPages/Templates/stock.mustache"
    END
    FILE("symptoms.mustache")
#embed "../JournalPages/Templates/symptoms.mustache"
    END
    FILE("timeline.mustache")
#embed "../JournalPages/Templates/timeline.mustache"
    END
    FILE("today.mustache")
#embed "../JournalPages/Templates/today.mustache"
    END
    FILE("token.mustache")
#embed "../JournalPages/Templates/token.mustache"
    END
    FILE("trail.mustache")
#embed "../JournalPages/Templates/trail.mustache"
    END
    FILE("trend.mustache")
#embed "../JournalPages/Templates/trend.mustache"
    END
    FILE("triage-assess.mustache")
#embed "../JournalPages/Templates/triage-assess.mustache"
    END
    FILE("triage-board.mustache")
#embed "../JournalPages/Templates/triage-board.mustache"
    END
    FILE("triage-explanation.mustache")
#embed "../JournalPages/Templates/triage-explanation.mustache"
    END
    FILE("triage-notice.mustache")
#embed "../JournalPages/Templates/triage-notice.mustache"
    END
    FILE("triage-rules.mustache")
#embed "../JournalPages/Templates/triage-rules.mustache"
    END
    FILE("triage-states.mustache")
#embed "../JournalPages/Templates/triage-states.mustache"
    END
    FILE("triage-summary.mustache")
#embed "../JournalPages/Templates/triage-summary.mustache"
    END
    FILE("triage.mustache")
#embed "../JournalPages/Templates/triage.mustache"
    END
    FILE("undo.mustache")
#embed "../JournalPages/Templates/undo.mustache"
    END
    FILE("values.mustache")
#embed "../JournalPages/Templates/values.mustache"
    END
    FILE("verification.mustache")
#embed "../JournalPages/Templates/verification.mustache"
    END
    FILE("versions.mustache")
#embed "../JournalPages/Templates/versions.mustache"
    END
    FILE("visit-row.mustache")
#embed "../JournalPages/Templates/visit-row.mustache"
    END
    FILE("visit.mustache")
#embed "../JournalPages/Templates/visit.mustache"
    END
    FILE("written.mustache")
#embed "../JournalPages/Templates/written.mustache"
    END
    FILE("de.words")
#embed "../JournalPages/Words/Texts/de.words"
    END
    FILE("en.words")
#embed "../JournalPages/Words/Texts/en.words"
    END
    FILE("fr.words")
#embed "../JournalPages/Words/Texts/fr.words"
    END
    return (EmbeddedFile){NULL, 0};
}
