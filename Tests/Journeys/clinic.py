"""The journey of people who work in a veterinary practice, and of a client."""

import json
import re
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from people import PASSWORD, Person

ZONES = ["Europe/Zurich", "America/New_York", "America/Los_Angeles", "Pacific/Honolulu", "Pacific/Auckland", "Australia/Sydney",
         "Asia/Tokyo", "Asia/Bangkok", "Asia/Karachi", "Asia/Dubai", "America/Sao_Paulo", "Atlantic/Azores"]


def morning():
    """The zone in which a working day has just begun, so that the journey can be made at any time of day."""
    return min(ZONES, key=lambda zone: abs(datetime.now(ZoneInfo(zone)).hour - 9))


def fill(journal):
    """Sets up a practice with two veterinarians and their patients, and returns what the journey needs."""
    zone = morning()
    today = datetime.now(ZoneInfo(zone)).date()
    for account in ["vera", "rita"]:
        journal.now("account", "add", account)
        journal.now("account", "password", account, text=PASSWORD + "\n")

    def made(what, *arguments):
        return json.loads(journal.now(*arguments, "--format", "json"))[what]

    # Vera manages the practice, so that the owner of the animals is a client and no member.
    practice = made("id", "practice", "create", "name=Two Rooms", f"zone={zone}", "bookFrom=0", "notice=2", "--as", "vera")
    journal.now("practice", "hours", "--from", "2020-01-01", "--usual", "mon-sun 07:00-12:00,13:00-19:00", "--emergency", "mon-sun 00:00-24:00",
                "--holiday", f"{today + timedelta(days=6)} closed Founders' day", "--as", "vera")
    for room in ["Consulting room", "Surgery"]:
        journal.now("practice", "room", "add", f"name={room}", "--as", "vera")
    services = [("Check-up", "routine", 30, "online=true"), ("Vaccination", "vaccination", 20, "online=true"),
                ("Dental surgery", "surgery", 90, "bufferAfter=15")]
    for name, kind, minutes, more in services:
        journal.now("practice", "service", "add", f"name={name}", f"type={kind}", f"minutes={minutes}", more, "--as", "vera")
    for name in ["Vera Roth", "Ben Meier"]:
        journal.now("specialist", "add", f"name={name}", "--as", "vera")
    journal.now("practice", "member", "set", "vera", "--role", "manager", "--role", "veterinarian", "--specialist", "Vera Roth",
                "--as", "vera")
    journal.now("practice", "member", "set", "rita", "--role", "receptionist", "--as", "vera")
    patients = {}
    for name, species in [("Luna", "cat"), ("Nero", "dog"), ("Momo", "rabbit"), ("Ludwig", "dog"), ("Balu", "dog")]:
        patients[name] = made("record", "record", "create", "--animal", "--name", name, "--species", species)
        journal.now("patient", "register", patients[name], "--number", f"P-{len(patients)}")

    def book(patient, service, day, clock, specialist, *more):
        return made("entry", "book", patients[patient], service, "--at", f"{day}T{clock}", "--specialist", specialist, *more,
                    "--as", "rita")

    book("Ludwig", "Vaccination", today, "17:00", "Ben Meier", "--purpose", "yearly vaccination")
    book("Ludwig", "Check-up", today, "18:30", "Vera Roth", "--room", "Consulting room")
    book("Ludwig", "Check-up", today + timedelta(days=1), "09:00", "Ben Meier")
    book("Momo", "Dental surgery", today + timedelta(days=2), "09:00", "Ben Meier", "--room", "Surgery")
    # Ben falls ill after Momo's surgery was agreed, and nobody noted what became of an emergency.
    day = datetime.combine(today + timedelta(days=2), datetime.min.time(), ZoneInfo(zone)).astimezone(timezone.utc)
    journal.now("specialist", "absent", "Ben Meier", "--from", day.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "--until", (day + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ"), "--why", "sick", "--as", "vera")
    over = (datetime.now(timezone.utc) - timedelta(hours=3)).strftime("%Y-%m-%dT%H:%M:00Z")
    emergency = made("entry", "book", patients["Momo"], "--minutes", "20", "--type", "emergency", "--at", over, "--as", "rita")
    return {"practice": practice, "patients": patients, "today": today, "emergency": emergency, "zone": zone}


def pages(clinic):
    """The pages of the practice, for pictures in each colour scheme and width."""
    practice = f"/practices/{clinic['practice']}"
    ludwig = clinic["patients"]["Ludwig"]
    later = clinic["today"] + timedelta(days=2)
    return {
        "practices": "/practices", "practice-day": f"{practice}/day", "practice-day-trouble": f"{practice}/day?day={later}",
        "practice-day-closed": f"{practice}/day?day={clinic['today'] + timedelta(days=6)}",
        "practice-week": f"{practice}/week", "practice-open": f"{practice}/open", "practice-patients": f"{practice}/patients",
        "practice-new-patient": f"{practice}/new-patient", "practice-feeds": f"{practice}/feeds",
        "practice-book": f"{practice}/book?record={ludwig}", "appointment-open": f"/appointments/{clinic['emergency']}",
        "practice-print": f"{practice}/print", "practice-emergency": f"{practice}/emergency",
        "practice-written": f"{practice}/patients/{ludwig}/written",
    }


def monday(journeys, journal, clinic, script):
    """A receptionist books in three clicks, somebody else is quicker, the patient comes and is treated; a client books too."""
    patient = "Luna" if script else "Nero"
    record = clinic["patients"][patient]
    rita = Person(journeys, "rita", script)
    rita.press("Practices")
    rita.press("Two Rooms")
    rita.expect("Open 07:00–12:00, 13:00–19:00")
    rita.expect(clinic["zone"].replace("_", " "))
    rita.expect("Ludwig")
    rita.press("Book for a patient")
    rita.fill("Name of the animal", "x")
    rita.refused = True
    rita.press("Find")
    rita.refused = False
    rita.expect("Enter at least two letters")
    rita.fill("Name of the animal", patient[:3].lower())
    rita.press("Find")
    # The first time a service is chosen; from the second time on, three clicks are enough.
    rita.press(f"Book: {patient}")
    rita.page.get_by_role("link", name=re.compile("^Check-up")).click()
    slot(rita).click()
    rita.look()
    rita.press("Book")
    rita.expect("The appointment is booked.")
    rita.expect("scheduled")

    rita.go(f"/practices/{clinic['practice']}/patients")
    rita.fill("Name of the animal", patient)
    rita.press("Find")
    rita.press(f"Book: {patient}")
    last = slot(rita, last=True)
    start = re.search(r"slot=([0-9TZ:.-]+)~", last.get_attribute("href").replace("%3A", ":")).group(1)
    last.click()
    rita.look()
    # Somebody else books the time in the meantime, for a patient whose visits no triage makes longer.
    specialist = "Vera Roth" if "Vera Roth" in rita.page.inner_text("dl") else "Ben Meier"
    other = json.loads(journal.now("book", clinic["patients"]["Balu"], "Check-up", "--at", start, "--specialist", specialist,
                                   "--as", "vera", "--format", "json"))["entry"]
    rita.fill("What it is about", "limps on the left")
    rita.refused = True
    rita.press("Book")
    rita.refused = False
    rita.expect("This time was taken in the meantime")
    if rita.page.get_by_label("What it is about").input_value() != "limps on the left":
        journeys.problem("what was typed is lost")
    picture(journeys, rita, "slot-taken", script)
    rita.page.locator(".alternatives button").first.click()
    rita.page.wait_for_load_state()
    rita.expect("The appointment is booked.")
    rita.expect("limps on the left")
    second = rita.page.url.split("?")[0]

    # The patient comes, and is treated.
    rita.go(f"/practices/{clinic['practice']}/day")
    visit(rita, patient).get_by_role("button", name=re.compile("^Arrived")).click()
    rita.page.wait_for_load_state()
    rita.expect("The patient has arrived.")
    if visit(rita, patient).get_by_role("button").count():
        journeys.problem("a receptionist is offered to begin a treatment")
    vera = Person(journeys, "vera", script, width=390)
    vera.go(f"/practices/{clinic['practice']}/day")
    for button, text in (("Begin", "Begun."), ("Complete", "Completed.")):
        visit(vera, patient).get_by_role("button", name=re.compile(f"^{button}")).click()
        vera.page.wait_for_load_state()
        vera.look()
        vera.expect(text)
    picture(journeys, vera, "practice-day-phone", script)

    # The second appointment is moved, then cancelled; the day is shown as it was known before.
    rita.go(second)
    rita.press("Move")
    slot(rita).click()
    rita.look()
    rita.fill("Why?", "the client called")
    rita.press("Move")
    rita.expect("The appointment is moved.")
    rita.expect("the client called")
    rita.page.get_by_role("link", name="the day as known then").last.click()
    rita.look()
    rita.expect("Nothing can be changed here.")
    if rita.page.locator("main button", has_text=re.compile("Confirm|Arrived")).count():
        journeys.problem("the past can be changed")
    picture(journeys, rita, "practice-day-past", script)
    rita.press("Back to now")
    rita.go(second)
    rita.page.locator("summary", has_text="Cancel the appointment").click()
    rita.page.get_by_label("Why it is cancelled").select_option(label="prevented")
    rita.page.locator("#cancel").get_by_role("button", name="Cancel the appointment").click()
    rita.page.wait_for_load_state()
    rita.look()
    rita.expect("The appointment is cancelled.")
    rita.expect("Book it again")
    picture(journeys, rita, "appointment", script)

    # An animal that nobody knows comes with somebody who has no account: both are there before the time is chosen.
    rita.go(f"/practices/{clinic['practice']}/patients")
    rita.press("New patient")
    rita.refused = True
    rita.press("Create and go on")
    rita.refused = False
    rita.expect("Enter a name, or what identifies the animal.")
    rita.fill("Name of the animal (required)", "Rex" if script else "Bello")
    rita.fill("Last name of the person who brings it", "Moser" if script else "Huber")
    rita.press("Create and go on")
    rita.page.get_by_role("link", name=re.compile("^Vaccination")).click()
    slot(rita, last=True).click()
    rita.press("Book")
    rita.expect("The appointment is booked.")

    rita.go(f"/practices/{clinic['practice']}/open")
    rita.expect("Needs attention:")
    rita.expect("No outcome yet")
    journal.now("appointment", "cancel", other, "--as", "vera")

    # The owner of the animal books, moves and cancels what is online.
    owner = Person(journeys, "owner", script, width=390)
    owner.go(f"/records/{record}")
    owner.press("Appointments")
    owner.press("Book at Two Rooms")
    owner.expect_none("Dental surgery")
    slot(owner, last=True).click()
    owner.look()
    owner.press("Book")
    owner.expect("The appointment is booked.")
    owner.go(f"/records/{record}/appointments")
    picture(journeys, owner, "record-appointments", script)
    # The practice sees more than the name only after the owner gave it access.
    doctor = Person(journeys, "vera", script)
    doctor.refused = True
    if doctor.go(f"/records/{record}").status != 403:
        journeys.problem("a practice sees a record without access")
    doctor.refused = False
    owner.press("Give a practice access")
    owner.press("Give access")
    owner.expect("The practice has access now.")
    doctor.go(f"/records/{record}")
    doctor.expect("You see this as staff of a practice that the owner gave access.")
    picture(journeys, doctor, "record-of-patient", script)
    owner.press("Revoke")
    owner.press("Revoke")
    doctor.refused = True
    if doctor.go(f"/records/{record}").status != 403:
        journeys.problem("a practice sees a record after its access was ended")
    owner.go(f"/records/{record}/appointments")
    owner.page.get_by_role("link", name=re.compile("^Move")).first.click()
    slot(owner, last=True).click()
    owner.press("Move")
    owner.expect("The appointment is moved.")
    owner.go(f"/records/{record}/appointments")
    owner.page.get_by_role("link", name=re.compile("^Cancel")).first.click()
    owner.look()
    owner.page.locator("#cancel").get_by_role("button", name="Cancel the appointment").click()
    owner.page.wait_for_load_state()
    owner.expect("The appointment is cancelled.")
    owner.refused = True
    if owner.go(f"/practices/{clinic['practice']}/day").status != 403:
        journeys.problem("a client is shown the calendar of the practice")
    for person in (rita, vera, doctor, owner):
        person.context.close()


def every_page(journeys, clinic, scheme, width):
    """Opens the pages of the practice in one colour scheme and at one width."""
    vera = Person(journeys, "vera", True, width=width, color_scheme=scheme)
    for name, address in pages(clinic).items():
        if vera.go(address).status != 200:
            journeys.problem(f"{address} is not there")
        journeys.picture(vera, journeys.folder, name, scheme, width)
    vera.go(pages(clinic)["practice-book"])
    vera.go(slot(vera).get_attribute("href"))
    journeys.picture(vera, journeys.folder, "practice-slot", scheme, width)
    vera.context.close()


def slot(person, last=False):
    """A free time of the page: the first or the last one."""
    found = person.page.locator(".free .choices a")
    return found.last if last else found.first


def visit(person, patient):
    """The first appointment of a patient on the page of a day."""
    return person.page.locator("article.visit", has_text=patient).first


def picture(journeys, person, name, script):
    journeys.picture(person, journeys.folder, f"clinic-{name}", "script" if script else "plain", person.page.viewport_size["width"])
