"""Uses the generated client as a script would: adds a record and weights, corrects one, reads the past, makes a mistake."""

import sys
from datetime import date

from health_journal_client import AuthenticatedClient
from health_journal_client.api.accounts import list_accounts
from health_journal_client.api.clinic import list_practices
from health_journal_client.api.entries import add_dose, add_weight, correct_weight, list_weight, show_weight
from health_journal_client.api.records import create_record, show_record
from health_journal_client.models import (
    Accounts,
    Dose,
    HumanProfile,
    NewRecordType0,
    Practices,
    Problem,
    RecordType0,
    Weight,
    WeightPage,
    WeightUnit,
    Written,
)


def expect(what: str, holds: bool, shown: object) -> None:
    if not holds:
        sys.exit(f"{what}: {shown}")


address, token = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=token)

new = NewRecordType0(subject="human", profile=HumanProfile(given_name="Ida", family_name="Lu"))
record = create_record.sync(client=client, body=new)
expect("a record is created", isinstance(record, Written), record)

weight = Weight(value="72.5", unit=WeightUnit.KG, date=date(2026, 3, 1).isoformat())
added = add_weight.sync(record.record, client=client, body=weight, idempotency_key="one")
expect("a weight is added", isinstance(added, Written), added)
again = add_weight.sync(record.record, client=client, body=weight, idempotency_key="one")
expect("a repeated request adds nothing", again.entry == added.entry, again)
weight.value = "71.5"
answer = show_weight.sync_detailed(record.record, added.entry, client=client)
corrected = correct_weight.sync(
    record.record, added.entry, client=client, body=weight, if_match=answer.headers["ETag"], reason="typed wrongly"
)
expect("a weight is corrected", isinstance(corrected, Written), corrected)

page = list_weight.sync(record.record, client=client)
expect("the weights are listed", isinstance(page, WeightPage), page)
expect("the weight is the corrected one", [kept.value for kept in page.entries] == ["71.5"], page)
then = list_weight.sync(record.record, client=client, as_of=str(added.position))
expect("the weight was another one before", [kept.value for kept in then.entries] == ["72.5"], then)

shown = show_record.sync(record.record, client=client)
expect("the record is shown", isinstance(shown, RecordType0), shown)
expect("the record has its profile", shown.profile.given_name == "Ida", shown)
expect("the record has its entries", len(shown.entries.weight) == 1, shown)

wrong = add_weight.sync(record.record, client=client, body=Weight(value="much"))
expect("a mistake is a problem", isinstance(wrong, Problem) and wrong.field == "value", wrong)
# A dose needs a time, and a medication of the record.
dose = add_dose.sync(record.record, client=client, body=Dose(date="2026-03-01T08:00:00Z"))
expect("a dose without a medication is a problem", isinstance(dose, Problem) and dose.status == 400, dose)
expect("the accounts are listed", isinstance(list_accounts.sync(client=client), Accounts), "accounts")
expect("the practices are listed", isinstance(list_practices.sync(client=client), Practices), "practices")
print("the generated client works")
