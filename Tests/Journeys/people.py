"""The journal, its service, and the people who use it in a browser."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

PASSWORD = "correct horse battery"
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


class Journal:
    """A journal in a temporary folder, filled with events of 2024 and 2025, and its service."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = Path(folder)
        self.environment = {**os.environ, "HEALTHJOURNAL_DIR": str(self.folder / "journal"),
                            "HEALTHJOURNAL_MASTER_KEY_FILE": str(self.folder / "key"), "TZ": "UTC"}
        self.service = None

    def run(self, when, *arguments, text=None):
        done = subprocess.run(["faketime", when, self.program, *arguments], env=self.environment, input=text,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{arguments[:2]}: {done.stderr}")
        return done.stdout

    def now(self, *arguments, text=None):
        """Runs a command at the machine's time, beside the service."""
        done = subprocess.run([self.program, *arguments], env=self.environment, input=text, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise SystemExit(f"{arguments[:2]}: {done.stderr}")
        return done.stdout

    def replica(self, name, token):
        """Creates a replica of the served journal, and returns a function that runs commands on it."""
        folder = self.folder / name
        hidden = ("HEALTHJOURNAL_DIR", "HEALTHJOURNAL_MASTER_KEY_FILE")
        environment = {**{key: value for key, value in self.environment.items() if key not in hidden},
                       "XDG_CONFIG_HOME": str(self.folder / f"{name}-config"), "HEALTHJOURNAL_TOKEN": token}

        def run(*arguments):
            done = subprocess.run([self.program, *arguments], env=environment, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise SystemExit(f"{arguments[:2]}: {done.stderr}")
            return done.stdout

        run("replica", "init", str(folder), "--url", self.base, "--name", name)
        return lambda *arguments: run(*arguments, "--journal", str(folder))

    def fill(self):
        """Writes events at past times, with a faked clock, so that the slider has a history to show."""
        self.run("2024-01-10 10:00", "init")
        for account in ["mara", "anna"]:
            self.run("2024-01-10 10:01", "account", "add", account)
        for account in ["owner", "mara", "anna"]:
            self.run("2024-01-10 10:02", "account", "password", account, text=PASSWORD + "\n")
        self.run("2024-01-10 10:03", "account", "add", "iris", "--kind", "auditor")
        self.run("2024-01-10 10:04", "account", "password", "iris", text=PASSWORD + "\n")

        def made(what, when, *arguments):
            return json.loads(self.run(when, *arguments, "--format", "json"))[what]

        ada = made("record", "2024-01-10 10:10", "record", "create", "--given-name", "Ada", "--family-name", "Winter",
                   "--birthdate", "1951-03-14", "--sex", "female")
        dog = made("record", "2024-01-12 10:10", "record", "create", "--animal", "--name", "Biscuit", "--species", "dog")
        drug = made("entry", "2024-02-01 09:00", "entry", "add", ada, "drug", "name=Lisinopril", "dosage=10 mg",
                    "--date", "2023-09-04")
        for number, month in enumerate(["2024-02", "2024-06", "2024-11", "2025-03", "2025-06"]):
            self.run(f"{month}-15 18:00", "weight", "log", ada, f"7{2 - number // 2}.{number}kg", "--date", f"{month}-15")
        for number, month in enumerate(["2024-03", "2024-09", "2025-04"]):
            self.run(f"{month}-15 18:00", "entry", "add", dog, "cost", f"year={month[:4]}", f"amount={40 + number}.50",
                     "currency=CHF", "category=" + ["Vet", "Food", "Vet"][number], "basis=item")
        self.run("2025-07-01 09:00", "entry", "correct", drug, "dosage=20 mg", "--reason", "raised by the doctor")
        gone = made("entry", "2025-07-02 09:00", "entry", "add", ada, "allergy", "name=Nuts")
        self.run("2025-07-03 09:00", "entry", "retract", gone, "--reason", "was somebody else")
        self.run("2025-09-01 09:00", "caregiver", "grant", ada, "mara", "--sections", "myhealth")
        return ada, dog

    def accept_today(self):
        """Makes the journal accept the machine's clock, which it rejects after the faked clock because of the long gap.

        If the journal does not reject it, the command has nothing to accept and fails. That failure is ignored.
        """
        subprocess.run([self.program, "accept-clock", "--reason", "filled under a faked clock"], env=self.environment,
                       capture_output=True, check=False)

    def serve(self, port="0", *options):
        self.service = subprocess.Popen([self.program, "serve", "--port", port, "--reminder-hosts", "127.0.0.1", *options],
                                        env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in self.service.stdout:
            found = re.search(r"http://\S+", line)
            if found:
                self.base = found.group()
                return self.base
        raise SystemExit("the service did not start: " + self.service.stderr.read())

    def stop(self):
        if self.service:
            self.service.send_signal(signal.SIGTERM)
            self.service.wait(timeout=20)


class Person:
    """A user with a separate browser context."""

    def __init__(self, journeys, name, script, **options):
        self.journeys = journeys
        self.context = journeys.browser.new_context(
            java_script_enabled=script, locale=options.get("locale", "en-GB"), timezone_id="Europe/Zurich",
            viewport={"width": options.get("width", 1280), "height": 900}, accept_downloads=True,
            color_scheme=options.get("color_scheme", "light"))
        self.script = script
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("console", lambda message: self.said(message.type, message.text))
        self.page.on("pageerror", lambda error: self.said("error", str(error)))
        self.refused = False
        if name:
            words = options.get("words") or {"accountName": "Account", "password": "Password", "signIn": "Sign in", "today": "Today"}
            self.sign_in(name, options.get("lands", words["today"]), words)

    def said(self, kind, text):
        # The browser also reports a refused page as an error.
        if kind in ("error", "warning") and not (self.refused and re.search("status of 4[01]", text)):
            self.journeys.problem(f"console at {self.page.url}: {text}")

    def sign_in(self, name, lands, words):
        self.go("/sign-in")
        self.fill(words["accountName"], name)
        self.fill(words["password"], PASSWORD)
        self.press(words["signIn"])
        self.expect(lands)

    def go(self, address):
        answer = self.page.goto(address if address.startswith("http") else self.journeys.base + address)
        self.look()
        return answer

    def fill(self, label, text):
        self.page.get_by_label(label, exact=True).fill(text)

    def press(self, name):
        """Clicks the button with this name, or the link if there is no such button."""
        found = self.page.get_by_role("button", name=name, exact=True)
        if found.count() == 0:
            found = self.page.get_by_role("link", name=name, exact=True)
        found.first.click()
        self.page.wait_for_load_state()
        self.look()

    def open_menu(self):
        """Opens the menu with the account's name, which leads to the settings and signs out."""
        self.page.locator("details.menu > summary").click()

    def sign_out(self):
        self.open_menu()
        self.press("Sign out")

    def expect(self, text):
        if text not in self.page.inner_text("main"):
            self.journeys.problem(f"{self.page.url} does not say “{text}”:\n{self.page.inner_text('main')[:800]}")

    def expect_none(self, text):
        if text in self.page.inner_text("body"):
            self.journeys.problem(f"{self.page.url} says “{text}”")

    def look(self):
        """Checks the page with axe, and that it is not wider than the screen.

        Pages that differ only in ids are checked once for each width, colour scheme and title.
        """
        # Without JavaScript the page is the same, and axe cannot run.
        if not self.script:
            return
        template = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "…", self.page.url.replace(self.journeys.base, ""))
        is_dark = self.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        key = (template, self.page.viewport_size["width"], is_dark, self.page.title())
        if key in self.journeys.seen:
            return
        self.journeys.seen.add(key)
        for found in self.journeys.axe.run(self.page, options=RULES).response["violations"]:
            node = found["nodes"][0]
            self.journeys.problem(f"{template}: {found['id']} ({found['impact']}): {found['help']}: {node['html'][:200]}")
        if self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            self.journeys.problem(f"{template} is wider than {self.page.viewport_size['width']} pixels")
