"""The journey of an emergency: a patient is put on the triage board, assessed, and taken."""

import json
import re
from datetime import datetime, timedelta, timezone

from clinic import slot
from people import PASSWORD, Person

NOTICE = "Triage supports a professional and replaces none."


def fill(journal, clinic):
    """Adds a nurse, and a specialist's specialties, to the practice of the clinic."""
    journal.now("account", "add", "nina")
    journal.now("account", "password", "nina", text=PASSWORD + "\n")
    journal.now("practice", "member", "set", "nina", "--role", "nurse", "--as", "vera")
    clinic["waiting"] = None


def wait(journal, clinic):
    """Puts patients of all levels on the board, for pictures, and returns the triage of one that was assessed."""
    def made(what, *arguments):
        return json.loads(journal.now(*arguments, "--format", "json"))[what]

    now = datetime.now(timezone.utc)
    normal = ["airway=normal", "breathing=normal", "circulation=normal", "disability=normal"]
    journal.now("triage", "rules", "adopt", "hj-triage/1", "--veterinarian", "Dr. Vera Roth", "--as", "vera")
    for name, species, minutes, complaint, findings in [
        ("Bruno", "dog", 2, None, ["--red-now"]),
        ("Shadow, the second cat of the neighbours", "cat", 22, "breathes with an open mouth since the walk", ["breathing=compromised"]),
        ("Hoppel", "rabbit", 12, "does not eat", None),
        ("Kira", "dog", 70, "vomits since the morning", [*normal, "heartRate=110", "weight=27.9", "--sign", "vomitingRepeated"]),
        ("Felix", "cat", 35, "limps", [*normal, "--sign", "lame"]),
        ("Polly", "bird", 5, "claws", [*normal, "exposure=normal", "--sign", "nails"]),
    ]:
        record = made("record", "record", "create", "--animal", "--name", name, "--species", species)
        journal.now("patient", "register", record)
        arrived = (now - timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")
        begin = ["triage", "begin", record, "--arrived-at", arrived, "--as", "rita"]
        if findings == ["--red-now"]:
            journal.now(*begin, "--red-now")
            continue
        triage = made("entry", *begin, "--complaint", complaint)
        if findings:
            journal.now("triage", "assess", triage, *findings, "--as", "vera")
        if name == "Kira":
            shown = triage
    journal.now("triage", "override", shown, "orange", "--reason", "looks much worse than an hour ago", "--as", "vera")
    clinic["waiting"] = shown
    return shown


def emergency(journeys, clinic, script):
    """A receptionist needs one click for "Red now"; a nurse assesses; a veterinarian adopts the rules, overrides and takes."""
    practice = f"/practices/{clinic['practice']}"
    dog, other = ("Ludwig", "Luna") if script else ("Nero", "Momo")
    rita = Person(journeys, "rita", script, width=390)
    rita.go(f"{practice}/day")
    rita.press("Board")
    rita.expect(NOTICE)
    if script:
        rita.expect("No rules are in force yet.")
        picture(journeys, rita, "board-empty", script)
    rita.press("A patient arrives")
    rita.fill("Name of the animal", dog[:3].lower())
    rita.press("Find")
    picture(journeys, rita, "arrive", script)
    rita.press(f"Red now: {dog}")
    rita.expect("The patient is red now.")
    rita.expect("1 red · immediate")
    rita.expect_none("Take")
    rita.press("A patient arrives")
    rita.fill("Name of the animal", other)
    rita.press("Find")
    rita.fill("What it comes for", "ate something <blue>")
    # The Enter key puts the patient on the board, and never makes it red.
    rita.page.keyboard.press("Enter")
    rita.page.wait_for_url(re.compile("done=onBoard"))
    rita.look()
    rita.expect("The patient is on the board.")
    rita.expect("ate something <blue>")
    rita.expect("not assessed yet")
    picture(journeys, rita, "board-reception", script)
    rita.page.locator("li.waits", has_text=other).get_by_role("link").click()
    rita.look()
    triage = rita.page.url.split("?")[0]
    rita.expect("3 yellow · urgent")
    rita.expect_none("Computed with")
    picture(journeys, rita, "triage-reception", script)

    vera = Person(journeys, "vera", script)
    vera.go(f"{practice}/board")
    vera.press("Rules of triage")
    vera.expect(NOTICE)
    vera.page.get_by_text("Text of hj-triage/1").click()
    vera.expect("sign labouredBreathing 2 breathing")
    vera.refused = True
    vera.press("Adopt hj-triage/1")
    vera.refused = False
    vera.expect("One field needs to be corrected.")
    vera.page.get_by_label("Your name, as the veterinarian who adopts it").first.fill("Dr. Vera Roth")
    vera.press("Adopt hj-triage/1")
    vera.expect("The rule set is in force.")
    vera.expect("Adopted by Dr. Vera Roth")

    nina = Person(journeys, "nina", script, width=390)
    nina.go(f"{practice}/board")
    nina.press(f"Assess {other}")
    nina.expect(NOTICE)
    nina.expect("Usual for a")
    for part in ("airway", "breathing", "circulation"):
        nina.page.locator(f"input[name={part}][value=normal]").check()
    nina.page.get_by_label("Poison, recently").check()
    nina.page.get_by_label("Heart rate (beats a minute)").fill("quick")
    nina.page.get_by_label("Symptoms").fill("drools")
    nina.refused = True
    nina.press("Save the assessment")
    nina.refused = False
    nina.expect("One field needs to be corrected.")
    if not nina.page.get_by_label("Poison, recently").is_checked():
        journeys.problem("a sign that was ticked is lost")
    picture(journeys, nina, "assess-refused", script)
    nina.page.get_by_label("Heart rate (beats a minute)").fill("150")
    nina.press("Save the assessment")
    nina.expect("The assessment is stored.")
    nina.expect("2 orange · very urgent")
    nina.expect("Sign: poison, recently.")
    nina.expect("Disability was not assessed: not assessed is not normal.")
    picture(journeys, nina, "triage-nurse", script)

    vera.go(triage)
    vera.page.locator("summary", has_text="Set another level").click()
    level = vera.page.locator("#override")
    level.get_by_label("Level (required)").select_option(label="1 red (immediate)")
    level.get_by_label("Why?").fill("worse")
    vera.refused = True
    level.get_by_role("button", name="Set another level").click()
    vera.page.wait_for_load_state()
    vera.look()
    vera.refused = False
    vera.expect("at least 10 characters")
    level.get_by_label("Why?").fill("collapsed in the waiting room")
    level.get_by_role("button", name="Set another level").click()
    vera.page.wait_for_url(re.compile("done=levelSetNow"))
    vera.look()
    vera.expect("A person set the level")
    vera.expect("collapsed in the waiting room")
    picture(journeys, vera, "triage-veterinarian", script)
    vera.press("Compute again")
    vera.expect("the result is the same to the byte")
    picture(journeys, vera, "explain", script)
    vera.press("To the triage")
    vera.press("Take")
    vera.expect("The patient is taken.")
    vera.go(f"{practice}/board")
    vera.press(f"Take {dog}")
    vera.expect("The patient is taken.")
    vera.expect_none(f"Take {other}")

    # A visit is booked from the triage, and leads back to it.
    rita.go(triage)
    rita.press("Book an appointment")
    rita.expect("Booking from the triage")
    rita.page.get_by_role("link", name=re.compile("^Check-up")).click()
    slot(rita).click()
    rita.look()
    rita.expect("Booking from the triage")
    picture(journeys, rita, "book-from-triage", script)
    rita.press("Book")
    rita.expect("The appointment is booked.")
    rita.press("Booked from the triage")
    rita.expect("1 red · immediate")

    # The owner of the animal is told the level and why, and nothing else.
    owner = Person(journeys, "owner", script, width=390)
    owner.go(f"/records/{clinic['patients'][other]}/appointments")
    owner.expect("Emergencies and triage")
    owner.page.locator(f"a[href='{triage.replace(journeys.base, '')}']").click()
    owner.look()
    owner.expect("1 red · immediate")
    owner.expect("Sign: poison, recently.")
    owner.expect_none("collapsed in the waiting room")
    picture(journeys, owner, "triage-owner", script)
    owner.refused = True
    if owner.go(f"{practice}/board").status != 403:
        journeys.problem("a client is shown the board of the practice")
    for person in (rita, vera, nina, owner):
        person.context.close()


def every_page(journeys, journal, clinic, scheme, width):
    """Opens the pages of triage in one colour scheme and at one width."""
    shown = clinic["waiting"] or wait(journal, clinic)
    practice = f"/practices/{clinic['practice']}"
    vera = Person(journeys, "vera", True, width=width, color_scheme=scheme)
    past = (datetime.now(timezone.utc)).strftime("%Y-%m-%dT%H:%M:%SZ")
    for name, address in {
        "triage-board": f"{practice}/board", "triage-board-past": f"{practice}/board?asOf={past}", "triage-arrive": f"{practice}/arrive",
        "triage": f"/triage/{shown}", "triage-assess": f"/triage/{shown}/assess", "triage-explain": f"/triage/{shown}/explain",
        "triage-rules": f"{practice}/rules",
    }.items():
        answer = vera.go(address)
        if answer.status != 200:
            journeys.problem(f"{address} is not there: {answer.status}")
        vera.expect(NOTICE)
        journeys.picture(vera, journeys.folder, name, scheme, width)
    vera.context.close()


def picture(journeys, person, name, script):
    journeys.picture(person, journeys.folder, f"emergency-{name}", "script" if script else "plain", person.page.viewport_size["width"])
