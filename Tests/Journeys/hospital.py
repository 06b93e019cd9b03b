"""A hospital's document: in as FHIR, looked at, corrected, undone, and out again."""

import json
from pathlib import Path

from people import Person

BASE = "https://hospital.example/fhir"
SUBJECT = {"reference": f"{BASE}/Patient/p1"}


def bundle(script):
    """A Bundle with a Patient, a weight, a condition of a year, a document and a plan of care."""
    resources = [
        {"resourceType": "Patient", "id": "p1", "name": [{"family": "Weber", "given": ["Klara" if script else "Rosalind"]}],
         "gender": "female", "birthDate": "1948-03-02"},
        {"resourceType": "Observation", "id": "w1", "status": "final", "category": [{"coding": [{"code": "vital-signs"}]}],
         "code": {"coding": [{"system": "http://loinc.org", "code": "29463-7", "display": "Body Weight"}]}, "subject": SUBJECT,
         "effectiveDateTime": "2026-02-14T08:00:00+01:00", "valueQuantity": {"value": 75.5, "unit": "kg", "code": "kg"}},
        {"resourceType": "Condition", "id": "c1", "code": {"text": "Asthma"}, "subject": SUBJECT, "onsetDateTime": "2010"},
        {"resourceType": "DocumentReference", "id": "d1", "status": "current", "subject": SUBJECT, "description": "Letter",
         "content": [{"attachment": {"contentType": "text/plain", "data": "SGVsbG8h"}}]},
        {"resourceType": "CarePlan", "id": "k1", "status": "active", "intent": "plan", "title": "Walking every day",
         "subject": SUBJECT},
    ]
    # Each of the two journeys has a hospital of its own.
    base = f"https://{'one' if script else 'two'}.example/fhir"
    text = json.dumps({"resourceType": "Bundle", "type": "collection", "entry": [
        {"fullUrl": f"{BASE}/{resource['resourceType']}/{resource['id']}", "resource": resource} for resource in resources]})
    return text.replace(BASE, base)


def choose(owner, text):
    owner.go("/import")
    owner.page.get_by_label("File (required)").set_input_files(
        [{"name": "hospital.json", "mimeType": "application/json", "buffer": text.encode()}])
    owner.press("Show the preview")


def document(journeys, script):
    owner = Person(journeys, "owner", script)
    text = bundle(script)
    choose(owner, text)
    owner.expect("A new record")
    owner.expect("Entries: 6 added")
    owner.expect("Bundle 1, CarePlan 1, Patient 1")
    journeys.picture(owner, journeys.folder, "fhir-preview", "light", 1280)
    owner.press("Import")
    for words in ["The document was imported.", "75.5\u00a0kg", "Asthma", "Walking every day", "Letter"]:
        owner.expect(words)
    journeys.picture(owner, journeys.folder, "fhir-record", "light", 1280)
    record = owner.page.url.split("?")[0]

    choose(owner, text)
    owner.expect("The journal already contains all of it.")

    owner.go(record + "/export")
    journeys.picture(owner, journeys.folder, "fhir-export", "light", 1280)
    for name in ("FHIR R4 as imported (JSON)", "Patient summary (FHIR IPS)"):
        with owner.page.expect_download() as taken:
            owner.page.get_by_role("link", name=name).click()
        copy = json.loads(Path(taken.value.path()).read_text())
        if name.startswith("FHIR") and copy != json.loads(text):
            owner.journeys.problem("the imported document does not come out again as it came")
        if copy["resourceType"] != "Bundle":
            owner.journeys.problem(f"{name} is no Bundle")

    owner.go(record + "/export")
    owner.press("Imports into this record")
    owner.expect("Entries: 6 added, 0 corrected, 0 retracted")
    journeys.picture(owner, journeys.folder, "fhir-imports", "light", 1280)
    owner.press("Undo this import")
    owner.expect("Undo this import?")
    journeys.picture(owner, journeys.folder, "fhir-undo", "light", 1280)
    owner.press("Undo this import")
    owner.expect("The import was undone.")
    if "Asthma" in owner.page.inner_text("main"):
        owner.journeys.problem("an undone import still shows its entries")
    owner.context.close()


def table(journeys, script):
    """A file of a scale, whose dates can be read in two ways."""
    owner = Person(journeys, "owner", script)
    record = f"/records/{journeys.ada}"
    year = 2018 if script else 2019

    def look(dates=""):
        owner.go(record + "/imports")
        owner.press("Import a CSV file or an address book")
        owner.page.get_by_label("File (required)").set_input_files(
            [{"name": "weight.csv", "mimeType": "text/csv",
              "buffer": f'Date,"Weight (kg)","Fat mass (kg)",Comments\n03/04/{year},71.25,20.5,after supper\n'.encode()}])
        if dates:
            owner.page.get_by_label("How dates are written").fill(dates)
        owner.press("Show the preview")

    owner.refused = True
    look()
    owner.expect("can be read in two ways")
    owner.refused = False
    journeys.picture(owner, journeys.folder, "csv-asked", "light", 1280)
    look("dd/MM/yyyy")
    owner.expect("Entries: 2 added")
    journeys.picture(owner, journeys.folder, "csv-preview", "light", 1280)
    owner.press("Import")
    owner.expect("The document was imported.")
    look("dd/MM/yyyy")
    owner.expect("The journal already contains all of it.")

    # A table that nobody has explained yet; its second month is read without questions. Each journey has a table of its
    # own, because both may use the same journal.
    girth = "Taille (cm)" if script else "Hals (cm)"
    for month in (4, 5):
        table = f"Tag;Waage;{girth};Notiz\n05.0{month}.{year};80,5;92;nüchtern\n"
        owner.go(record + "/imports/csv")
        owner.page.get_by_label("File (required)").set_input_files(
            [{"name": "own.csv", "mimeType": "text/csv", "buffer": table.encode()}])
        owner.press("Show the preview")
        if month == 4:
            owner.expect("What the columns contain")
            owner.page.get_by_label("Tag").select_option("Date, or date and time")
            owner.page.get_by_label("Waage").select_option("Weight")
            owner.page.get_by_label(girth).select_option("Another measurement, named like the column")
            owner.refused = True
            owner.press("Show the preview")
            owner.expect("Choose the unit of the weights")
            owner.refused = False
            journeys.picture(owner, journeys.folder, "csv-columns", "light", 1280)
            owner.page.get_by_label("Unit of the weights, if the column does not say it").select_option("kg")
            owner.press("Show the preview")
        owner.expect("Entries: 2 added")
        owner.press("Import")
        owner.expect("The document was imported.")

    name = "Dr. Bruno Keller" if script else "Dr. Rita Keller"
    for expected in ("Entries: 1 added", "The journal already contains all of it."):
        owner.go(record + "/imports/csv")
        owner.page.get_by_label("File (required)").set_input_files(
            [{"name": "doctor.vcf", "mimeType": "text/vcard",
              "buffer": f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:{name}\r\nTEL:+41 31 555 01 10\r\nEND:VCARD\r\n".encode()}])
        owner.press("Show the preview")
        owner.expect(expected)
        if expected.startswith("Entries"):
            journeys.picture(owner, journeys.folder, "vcard-preview", "light", 390)
            owner.press("Import")
            owner.expect("The document was imported.")
    owner.context.close()
