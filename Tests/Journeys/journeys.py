"""Uses the pages in a real browser, as people do; called by tools/journeys.

Each journey runs with and without JavaScript, except those of the keyboard and of every page, which run only with it.
With JavaScript, the visited pages are checked with axe. An error or a warning on the browser's console is a failure.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

import care
import clinic
import hospital
import month
import push
import triage
from people import PASSWORD, RULES, Journal, Person

# A person with names in four scripts, in the format of Purus Health.
MARIA = {
    "uuid": "5D1B9A52-0F6B-4B63-8C6E-6E0B6B6A0001", "isPet": False, "personalFamilyName": "Nguyễn",
    "personalGivenName": "María", "personalNickName": "مريم", "personalGender": "Female", "personalBirthdate": 453600000,
    "personalAddress": "東京都千代田区 1-1", "personalHealthInsurance": "Helvetia",
    "bloodEntries": json.dumps([{"date": 1741248000, "name": "HbA1c 5.6 %", "comment": ""}]),
    "drugEntries": json.dumps([{"date": 1710057600, "nameAndDosage": "Lisinopril 10mg", "comment": "朝に一錠"}]),
    "allergyEntries": json.dumps([{"date": 833616000, "name": "Penicillin", "information": "Rash", "comment": "حساسية"}]),
}


def half_of(name):
    """Which of two processes runs a journey: both halves take about as long."""
    is_first = "with JavaScript" in name or name.startswith("a month") or name == "from right to left"
    return 1 if is_first else 2


class Journeys:
    def __init__(self, browser, base, ada, dog, rosa, options):
        (self.browser, self.base, self.folder) = (browser, base, options.screenshots)
        (self.only, self.half) = (options.only, options.half)
        (self.ada, self.dog, self.rosa) = (ada, dog, rosa)
        self.axe = Axe()
        self.seen = set()
        self.problems = []
        self.passed = self.failed = 0

    def problem(self, text):
        self.problems.append(text)

    def run(self, name, journey, *arguments):
        if self.only not in name or self.half and self.half != half_of(name):
            return
        self.problems = []
        start = time.monotonic()
        try:
            journey(*arguments)
        except Exception as error:  # A browser wait that times out raises an exception.
            self.problem(f"{type(error).__name__}: {error}")
        seconds = time.monotonic() - start
        if self.problems:
            self.failed += 1
            print(f"✘ {name} ({seconds:.1f} s)")
            for problem in self.problems:
                print("   ", problem)
        else:
            self.passed += 1
            print(f"✔ {name} ({seconds:.1f} s)")

    def rules(self):
        """Checks that axe, with the rules used here, reports the faults of a page that breaks three of them."""
        page = self.browser.new_page()
        page.set_content("<p style='color: #bbb; background: #fff'>pale</p><img src='data:,'><input>")
        found = {violation["id"] for violation in self.axe.run(page, options=RULES).response["violations"]}
        if not {"color-contrast", "image-alt", "label"} <= found:
            self.problem(f"axe found no more than {sorted(found)}")
        page.close()

    # MARK: - Journeys

    def document(self, script):
        """Imports a document, adds a weight, corrects it, goes back in time, and exports the record as JSON and PDF."""
        owner = Person(self, "owner", script)
        owner.press("Import a document")
        maria = {**MARIA, "uuid": MARIA["uuid"][:-1] + ("1" if script else "2")}
        owner.page.get_by_label("File (required)").set_input_files(
            [{"name": "maria.cloudkit.json", "mimeType": "application/json", "buffer": json.dumps(maria).encode()}])
        owner.press("Show the preview")
        owner.expect("A new record")
        owner.expect("Entries: 3 added")
        owner.press("Import")
        for text in ["María Nguyễn", "The document was imported.", "Lisinopril", "朝に一錠", "حساسية", "東京都千代田区 1-1",
                     "مريم"]:
            owner.expect(text)
        record = owner.page.url.split("?")[0]

        owner.press("Add")
        owner.press("Weight")
        owner.fill("Weight (required)", "72.5")
        owner.press("Save")
        owner.expect("Saved.")
        owner.expect("72.5\u00a0kg")
        owner.press("Correct")
        owner.fill("Weight (required)", "seventy")
        owner.refused = True
        owner.press("Save")
        owner.refused = False
        owner.expect("One field needs to be corrected.")
        owner.fill("Weight (required)", "71.5")
        owner.fill("Why?", "misread the scale")
        owner.press("Save")
        owner.expect("71.5\u00a0kg")
        owner.expect("misread the scale")

        owner.go(record + "/timeline")
        owner.expect("As known now.")
        owner.press("← Change before")
        owner.expect("72.5\u00a0kg")
        owner.expect("corrected since")
        owner.press("Change after →")
        owner.expect("71.5\u00a0kg")

        owner.go(record + "/export")
        with owner.page.expect_download() as taken:
            owner.page.get_by_role("link", name="Everything (JSON)").click()
        copy = json.loads(Path(taken.value.path()).read_text())
        if copy["displayName"] != "María Nguyễn" or copy["entries"]["weight"][0]["value"] != "71.5":
            self.problem("the copy does not say what the page says")
        with owner.page.expect_download() as taken:
            owner.page.get_by_role("link", name="A document to hand over (PDF)").click()
        printed = Path(self.folder or taken.value.path().parent) / "record.pdf"
        taken.value.save_as(printed)
        text = subprocess.run(["pdftotext", "-layout", printed, "-"], capture_output=True, text=True, check=True).stdout
        for told in ["María Nguyễn", "東京都千代田区", "71.5", "As known on", "Not included", "Checkpoint:"]:
            if told not in text:
                self.problem(f"the PDF does not say “{told}”")
        if not re.search(r"1\s*/\s*[1-9]", text):
            self.problem("the PDF has no page numbers")
        owner.go(record + "/access")
        owner.expect("Exported")
        owner.sign_out()
        owner.expect("You are signed out.")
        owner.context.close()

    def caregiver(self, script):
        """Invites a caregiver, who sees only the granted sections; replaces the grant, and revokes it."""
        owner = Person(self, "owner", script)
        anna = Person(self, "anna", script, width=390)
        anna.expect("No records yet")
        owner.go(f"/records/{self.ada}/caregivers")
        owner.press("Invite a caregiver")
        owner.page.get_by_label("health", exact=True).uncheck()
        owner.page.get_by_label("doctors", exact=True).check()
        owner.press("Create the invitation")
        code = owner.page.locator(".code").inner_text()
        # As a camera opens it: a browser without JavaScript leaves the code to be typed.
        anna.go(f"/invitation#code={code}")
        field = anna.page.get_by_label("Code (required)")
        if script and field.input_value() != code:
            self.problem("the scanned code does not stand in the field")
        if code in anna.page.url and script:
            self.problem("the code is left in the address")
        field.fill(code)
        anna.press("Use the code")
        anna.expect("You now have access.")
        anna.expect("Ada Winter")
        anna.expect_none("Lisinopril")
        anna.refused = True
        if anna.go(f"/records/{self.ada}/entries/drug").status != 403:
            self.problem("a section that was not granted is shown")
        anna.expect("The attempt was recorded in the audit log.")

        owner.go(f"/records/{self.ada}/caregivers/invite")
        owner.press("Create the invitation")
        anna.go("/invitation")
        anna.fill("Code (required)", owner.page.locator(".code").inner_text())
        anna.press("Use the code")
        anna.expect("Replace your access?")
        anna.expect("Sees doctors")
        self.picture(anna, self.folder, f"replace-{'with' if script else 'without'}-script", "light", 390)
        anna.press("Replace it")
        anna.expect("You now have access.")
        anna.expect("Lisinopril")

        owner.go(f"/records/{self.ada}/access")
        owner.expect("Refused: Read")
        owner.expect("anna")
        owner.go(f"/records/{self.ada}/caregivers")
        card = owner.page.locator("li.card", has_text="anna")
        card.get_by_role("link", name="Revoke").click()
        owner.press("Revoke")
        owner.expect("Revoked.")
        if anna.go(f"/records/{self.ada}").status != 403:
            self.problem("who was shut out is still let in")
        for person in (owner, anna):
            person.context.close()

    def newcomer(self, script):
        """Adds an account and invites its user, who scans the code before signing in for the first time.

        The new user then creates a token.
        """
        name = "ben" if script else "bea"
        owner = Person(self, "owner", script)
        owner.go("/settings")
        owner.press("Accounts")
        owner.press("Add an account")
        owner.fill("Name (required)", name)
        owner.fill("First password", "too short")
        owner.refused = True
        owner.press("Add an account")
        owner.expect("One field needs to be corrected.")
        owner.refused = False
        owner.fill("First password", PASSWORD)
        owner.fill("Your own password", PASSWORD)
        owner.press("Add an account")
        owner.expect("The account was added.")
        owner.go(f"/records/{self.ada}/caregivers/invite")
        owner.press("Create the invitation")
        code = owner.page.locator(".code").inner_text()
        newcomer = Person(self, None, script, width=390)
        newcomer.go(f"/invitation#code={code}")
        newcomer.fill("Account", name)
        newcomer.fill("Password", PASSWORD)
        newcomer.press("Sign in")
        newcomer.expect("Use an invitation code")
        field = newcomer.page.get_by_label("Code (required)")
        if script and field.input_value() != code:
            self.problem("the scanned code is lost on the way through sign-in")
        field.fill(code)
        newcomer.press("Use the code")
        newcomer.expect("You now have access.")
        newcomer.go("/settings")
        newcomer.press("Programs")
        newcomer.press("Create a token")
        newcomer.page.get_by_label("What it allows").select_option(label="only read")
        newcomer.fill("Your own password (required)", PASSWORD)
        newcomer.press("Create the token")
        token = newcomer.page.locator(".code").inner_text()
        request = urllib.request.Request(f"{self.base}/v1/records/{self.ada}", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request) as answer:
            if answer.status != 200:
                self.problem("the token that was made does not work")
        owner.go("/accounts")
        owner.press(f"Remove the account: {name}")
        owner.expect(f"Remove the account {name}?")
        self.picture(owner, self.folder, f"remove-account-{'with' if script else 'without'}-script", "light", 1280)
        owner.press("Remove the account")
        owner.expect("The account was removed.")
        owner.expect_none(f"Remove the account: {name}")
        newcomer.refused = True
        newcomer.go(f"/records/{self.ada}")
        if "/sign-in" not in newcomer.page.url:
            self.problem("a removed account is still signed in")
        for person in (owner, newcomer):
            person.context.close()

    def past(self, script):
        """Views earlier states of a record: by address, with the slider and the keyboard, and with the date field."""
        owner = Person(self, "owner", script)
        owner.go(f"/records/{self.ada}/timeline?asOf=2025-06-20")
        for text in ["As known at the end of 20 Jun 2025.", "10 mg", "corrected since, on 1 Jul 2025", "20 mg", "1 added since"]:
            owner.expect(text)
        owner.go(f"/records/{self.ada}/timeline")
        slider = owner.page.get_by_role("slider")
        slider.focus()
        owner.page.keyboard.press("Home")
        owner.page.keyboard.press("Enter")
        owner.page.wait_for_url(re.compile("asOf=2024-01-10"))
        owner.look()
        owner.expect("As known at the end of 10 Jan 2024.")
        owner.expect("None of this was known then.")
        owner.fill("Known by the end of", "2024-07-01")
        owner.press("Show")
        owner.expect("As known at the end of 1 Jul 2024.")
        owner.go(f"/records/{self.ada}?asOf=2024-07-01")
        owner.expect("10 mg")
        owner.expect_none("20 mg")
        owner.context.close()

    def values(self, script):
        """Logs blood values, one of them mistyped, and looks at their chart, for a period and for another name."""
        owner = Person(self, "owner", script, width=390)
        kind = f"/records/{self.dog}/entries/blood"
        given = [("2024-01-10", "5.1"), ("2024-05-10", "5.3"), ("2024-09-10", "5.0"), ("2025-01-10", "5.2"), ("2025-05-10", "5.4"),
                 ("2025-09-10", "520")]
        names = [("HbA1c", "%"), ("Creatinine", "µmol/l")] if script else [("Glucose", "mmol/l"), ("Ferritin", "µg/l")]
        for name, unit in names:
            for day, value in given if name == names[0][0] else given[:1]:
                owner.go(f"{kind}/new")
                for field, text in (("date", day), ("name", name), ("value", value), ("unit", unit)):
                    owner.page.fill(f"form[method=post] [name={field}]", text)
                owner.press("Save")
                if owner.page.locator("[name=sure]").count():
                    owner.press("Yes, save it")
                owner.expect("Saved.")
        owner.go(kind)
        owner.press("Chart: Blood values")
        owner.press(names[0][0])
        owner.expect("Far from the other values, and shown as arrows at the edge: 520")
        if owner.page.locator("svg circle.dot").count() != 5:
            self.problem("the usual values are not drawn as points")
        self.picture(owner, self.folder, f"values-{'with' if script else 'without'}-script", "light", 390)
        owner.press(names[1][0])
        owner.expect(f"{names[1][0]} ({names[1][1]})")
        owner.press("2025")
        owner.expect("Nothing in these days.")
        self.picture(owner, self.folder, f"values-none-{'with' if script else 'without'}-script", "light", 390)
        owner.press(names[0][0])
        owner.expect(f"{names[0][0]} ({names[0][1]})")
        self.measure(owner)
        owner.context.close()

    def laboratory(self):
        """Enters a laboratory report of 30 results by the keyboard, and the next one, for which only the values are typed."""
        owner = Person(self, "owner", True)
        form = f"/records/{self.dog}/results/new"
        owner.go(form)
        keyboard = owner.page.keyboard
        names = [field.input_value() for field in owner.page.locator("[name^='results.'][name$='.name']").all()]
        owner.page.locator(f"[name='results.{names.index('')}.name']").focus()
        for number in range(30):
            for text in (f"Analyte {number}", f"{number}.5", "mmol/l", "3", "20"):
                keyboard.type(text)
                keyboard.press("Tab")
            # Behind the last line is the button that adds one.
            if owner.page.evaluate("document.activeElement.name") == "step" and number < 29:
                keyboard.press("Enter")
        self.picture(owner, self.folder, "results", "light", 1280)
        owner.press("Save")
        owner.expect("The results were added.")
        owner.expect("▲\N{NO-BREAK SPACE}high")
        owner.go(form)
        owner.page.locator("[name='results.0.value']").focus()
        keys = 0
        for number in range(30):
            keyboard.type(f"{number}.7")
            for _ in range(5):
                keyboard.press("Tab")
            keys += len(f"{number}.7") + 5
        if keys / 5 > 120:
            self.problem(f"30 values take {keys} keys, more than two minutes of five keys a second")
        owner.press("Save")
        owner.expect("The results were added.")
        owner.context.close()

    def symptom(self):
        """Logs a symptom with two taps from the first page."""
        owner = Person(self, "owner", True, width=390)
        owner.go("/records")
        card = owner.page.locator("section.day").first
        card.get_by_role("link", name="Symptom").click()
        owner.look()
        owner.page.get_by_role("button", name="Severity 6").first.click()
        owner.look()
        owner.expect("Saved.")
        owner.expect("Headache")
        owner.context.close()

    def measure(self, owner):
        """Logs a blood pressure, mistyped first, and a meal of two foods."""
        owner.go(f"/records/{self.dog}/entries/measurement/new")
        owner.press("Blood pressure")
        owner.fill("Systolic (upper) (required)", "120")
        owner.fill("Diastolic (lower) (required)", "8o")
        owner.refused = True
        owner.press("Save")
        owner.refused = False
        owner.expect("Enter a number from 1 to 400.")
        if not owner.page.title().startswith("Error: "):
            self.problem(f"the title of a refused form is “{owner.page.title()}”")
        if owner.script and owner.page.evaluate("document.activeElement.getAttribute('role')") != "alert":
            self.problem("the problems of a refused form do not get the focus")
        owner.page.locator("form .problem a").click()
        if owner.script and owner.page.evaluate("document.activeElement.name") != "parts.1.value":
            self.problem("a problem does not lead to its field")
        owner.fill("Diastolic (lower) (required)", "80")
        owner.press("Save")
        owner.expect("Saved.")
        owner.expect("120")
        owner.go(f"/records/{self.dog}/entries/meal/new")
        owner.page.get_by_label("Meal (required)").select_option(label="lunch")
        owner.page.get_by_label("Name", exact=True).fill("Rice")
        owner.press("Add another food")
        owner.page.get_by_label("Name", exact=True).nth(1).fill("Peas")
        owner.press("Save")
        owner.expect("Saved.")
        owner.expect("Peas")

    def search(self, script):
        """Finds last year's entries by words, with a typing error too, opens one, and comes back to what was found."""
        owner = Person(self, "owner", script, width=390)
        owner.press("Search")
        owner.fill("Words", "vet biscuit")
        owner.press("Search")
        owner.expect("Biscuit · Cost")
        owner.expect("2 entries")
        if "biscuit" in owner.page.url.lower():
            self.problem("the address says what was searched")
        self.picture(owner, self.folder, f"search-{'with' if script else 'without'}-script", "light", 390)
        owner.page.get_by_role("link", name="42.50").first.click()
        owner.expect("History of this entry")
        owner.page.go_back()
        owner.expect("Biscuit · Cost")
        main = owner.page.locator("main")
        main.get_by_text("Kind and days").click()
        main.get_by_label("From").fill("2025")
        main.get_by_role("button", name="Search").click()
        owner.expect("1 entry")
        main.get_by_label("Words").fill("lisniopril")
        main.get_by_label("From").fill("2023")
        main.get_by_label("Until").fill("2023-10")
        main.get_by_role("button", name="Search").click()
        owner.expect("Nothing has these words as you typed them.")
        owner.expect("Lisinopril")
        owner.look()
        main.get_by_label("From").fill("soon")
        owner.refused = True
        main.get_by_role("button", name="Search").click()
        owner.expect("Not a year")
        owner.refused = False
        owner.context.close()

    def auditor(self, script):
        """Searches the audit trail, verifies the log, and, with JavaScript, follows new events."""
        iris = Person(self, "iris", script, lands="Audit trail")
        iris.page.get_by_label("What", exact=True).select_option(label="Caregivers")
        iris.press("Show")
        iris.expect("Caregiver access granted")
        iris.expect_none("Signed in")
        iris.press("Verify the whole log")
        iris.expect("The log is intact")
        iris.refused = True
        if iris.go(f"/records/{self.ada}").status != 403:
            self.problem("an auditor is shown a record")
        iris.go("/trail")
        if script:
            iris.press("Follow new events")
            owner = Person(self, "owner", script)
            owner.context.close()
            iris.page.get_by_text("session.begun").last.wait_for()
        iris.context.close()

    def keyboard(self):
        """Adds an entry without the mouse."""
        owner = Person(self, "owner", True)
        owner.go(f"/records/{self.dog}")
        owner.page.keyboard.press("Tab")
        if owner.page.evaluate("document.activeElement.textContent") != "Skip to the content":
            self.problem("the first stop is not the way past the navigation")
        owner.page.keyboard.press("Enter")
        for _ in range(60):
            owner.page.keyboard.press("Tab")
            label = owner.page.evaluate("document.activeElement.getAttribute('aria-label') || ''")
            if label == "Add: Allergy":
                break
        else:
            self.problem("no stop leads to adding an allergy")
        owner.page.keyboard.press("Enter")
        owner.page.wait_for_url(re.compile("allergy/new"))
        owner.page.get_by_label("Name", exact=True).focus()
        owner.page.keyboard.type("Beef")
        owner.page.keyboard.press("Enter")
        owner.page.wait_for_url(re.compile("done=added"))
        owner.expect("Beef")
        owner.context.close()

    def every_page(self, scheme, width, folder):
        """Opens every page in one colour scheme and at one width; saves a screenshot of each if a folder is given."""
        owner = Person(self, "owner", True, width=width, color_scheme=scheme)
        record = f"/records/{self.ada}"
        owner.go(f"{record}/entries/drug")
        entry = owner.page.locator(".entry .what a").first.get_attribute("href")
        pages = {
            "records": "/records", "record": record, "choose": f"{record}/add", "values": f"{record}/values", "animal": f"/records/{self.dog}", "edit": f"{record}/edit",
            "new": "/records/new?subject=animal", "close": f"{record}/close", "kind": f"{record}/entries/weight",
            "entry": entry, "correct": f"{entry}/correct", "retract": f"{entry}/retract",
            "erase": f"{entry}/erase", "move": f"{entry}/move",
            "add": f"{record}/entries/doctor/new", "file": f"{record}/entries/document/new",
            "results": f"{record}/results/new", "symptoms": f"{record}/symptoms",
            "measure": f"{record}/entries/measurement/new", "meal": f"{record}/entries/meal/new",
            "pressure": f"{record}/entries/measurement/new?of=blood-pressure",
            "timeline": f"{record}/timeline", "timeline-past": f"{record}/timeline?asOf=2025-06-20",
            "history": f"{record}/history", "access": f"{record}/access", "weight": f"{record}/weight",
            "costs": f"/records/{self.dog}/costs", "caregivers": f"{record}/caregivers",
            "invite": f"{record}/caregivers/invite", "export": f"{record}/export", "import": "/import", "csv": f"{record}/imports/csv",
            "settings": "/settings", "profile": "/settings/profile", "reminders": "/settings/reminders",
            "sign-in": "/settings/sign-in", "programs": "/settings/programs", "channels": "/settings/channels", "token": "/settings/tokens/new", "accounts": "/accounts", "search": "/search",
            "new-account": "/accounts/new", "trail": "/trail", "invitation": "/invitation",
            **care.pages(owner, self.rosa),
        }
        for name, address in pages.items():
            if owner.go(address).status != 200:
                self.problem(f"{address} is not there")
            self.picture(owner, folder, name, scheme, width)
        with owner.page.expect_download():
            owner.go(f"{record}/export/pdf?as=pdf")
        self.picture(owner, folder, "prepared", scheme, width)
        owner.refused = True
        owner.go("/records/nothing")
        self.picture(owner, folder, "missing", scheme, width)
        owner.context.close()
        stranger = Person(self, None, True, width=width, color_scheme=scheme)
        stranger.go("/sign-in")
        self.picture(stranger, folder, "sign-in", scheme, width)
        stranger.context.close()

    def picture(self, person, folder, name, scheme, width):
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            person.page.screenshot(path=f"{folder}/{name}-{scheme}-{width}.png", full_page=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--screenshots", help="a folder for pictures of all pages, and what was printed")
    parser.add_argument("--half", type=int, choices=(1, 2), help="run only this half of the journeys")
    parser.add_argument("--only", default="", help="run only the journeys whose names contain this text")
    options = parser.parse_args()
    if options.screenshots:
        Path(options.screenshots).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        journal = Journal(options.program, folder)
        ada, dog = journal.fill()
        rosa = care.fill(journal)
        journal.accept_today()
        practice = clinic.fill(journal)
        triage.fill(journal, practice)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        try:
            served = journal.serve("0", "--words", month.sample_file(options.program, folder))
            journeys = Journeys(browser, served, ada, dog, rosa, options)
            journeys.run("the rules of accessibility find what is wrong", journeys.rules)
            for script in (True, False):
                told = "with JavaScript" if script else "without JavaScript"
                journeys.run(f"a document in, a weight, its correction, back in time, out again, {told}", journeys.document, script)
                journeys.run(f"a hospital's document in, undone, and out again, {told}", hospital.document, journeys, script)
                journeys.run(f"a file of a scale, {told}", hospital.table, journeys, script)
                journeys.run(f"a caregiver let in and shut out, {told}", journeys.caregiver, script)
                journeys.run(f"an account, an invitation and a token, {told}", journeys.newcomer, script)
                journeys.run(f"through the years, {told}", journeys.past, script)
                journeys.run(f"a search, {told}", journeys.search, script)
                journeys.run(f"blood values over time, {told}", journeys.values, script)
                journeys.run(f"an auditor's way, {told}", journeys.auditor, script)
                journeys.run(f"a week with grandmother's pills, {told}", care.week, journeys, script)
                journeys.run(f"a Monday at the clinic, {told}", clinic.monday, journeys, journal, practice, script)
                journeys.run(f"an emergency arrives, {told}", triage.emergency, journeys, practice, script)
            for language in month.LANGUAGES:
                journeys.run(f"a month of a family, in {language[0]}", month.month, journeys, options.program, *language)
            journeys.run("from right to left", month.right_to_left, journeys, options.program)
            journeys.run("two phones without a connection", care.offline, journeys, journal)
            journeys.run("kept days end with the session", care.kept, journeys)
            journeys.run("two versions of a weight", care.versions, journeys, journal)
            journeys.run("reminders on this device", push.reminders, journeys)
            journeys.run("by the keyboard alone", journeys.keyboard)
            journeys.run("a laboratory report by the keyboard", journeys.laboratory)
            journeys.run("a symptom in two taps", journeys.symptom)
            # Each scheme and each width once; pictures are made of all four.
            looks = [("light", 1280), ("dark", 390)] + ([("light", 390), ("dark", 1280)] if options.screenshots else [])
            for scheme, width in looks:
                journeys.run(f"every page, {scheme}, {width} pixels wide", journeys.every_page, scheme, width, options.screenshots)
                journeys.run(f"every page of the clinic, {scheme}, {width} pixels wide", clinic.every_page, journeys, practice,
                             scheme, width)
                journeys.run(f"every page of an emergency, {scheme}, {width} pixels wide", triage.every_page, journeys, journal,
                             practice, scheme, width)
            # At a zoom of 200 % a wide screen has half as many pixels.
            journeys.run("every page at 200 %", journeys.every_page, "light", 640, None)
        finally:
            journal.stop()
            browser.close()
    print(f"{journeys.passed} passed, {journeys.failed} failed")
    sys.exit(1 if journeys.failed else 0)


main()
