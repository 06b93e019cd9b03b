"""The journeys of people who plan and take medication."""

import json
from datetime import datetime, timedelta, timezone

from people import Person


def minutes(clock):
    return f"{clock // 60:02}:{clock % 60:02}"


def fill(journal):
    """Writes a week of Rosa's pills, with a faked clock, and returns her record.

    Two doses of today are open when the journeys run, whatever the time of day; one later today may be.
    """
    now = datetime.now(timezone.utc)
    start = now - timedelta(days=8)
    clock = max(0, now.hour * 60 + now.minute - 20)
    open_now = minutes(clock)

    def day(number):
        return (start + timedelta(days=number)).strftime("%Y-%m-%d")

    def run(number, time, *arguments):
        return json.loads(journal.run(f"{day(number)} {time}", *arguments, "--format", "json"))

    rosa = run(0, "00:00", "record", "create", "--given-name", "Rosa", "--family-name", "Keller",
               "--birthdate", "1944-05-02")["record"]
    heart = run(0, "00:01", "plan", "add", rosa, "Lisinopril", "--unit", "tablet", "--daily", f"{open_now}=1",
                "--from", day(1), "--stock", "14", "--instructions", "with a glass of water")["entry"]
    thyroid = run(0, "00:02", "plan", "add", rosa, "Levothyroxine", "--unit", "tablet", "--daily", f"{open_now}=1",
                  "--from", day(1))["entry"]
    run(0, "00:03", "plan", "add", rosa, "Paracetamol", "--unit", "tablet", "--as-needed", "--amount", "1",
        "--gap", "4h", "--most", "4")
    for number in range(1, 8):
        taken = minutes(min(clock + 5, 1439))
        run(number, taken, "dose", "take", f"{heart}@{day(number)}T{open_now}")
        if number != 5:
            run(number, taken, "dose", "take", f"{thyroid}@{day(number)}T{open_now}")
    run(7, minutes(min(clock + 6, 1439)), "dose", "skip", f"{thyroid}@{day(5)}T{open_now}", "--why", "forgot")
    for name, strength in (("Dafalgan", "500 mg"), ("Panadol", "500 mg")):
        run(7, "23:59:20", "plan", "add", rosa, name, "--substance", "paracetamol", "--strength", strength, "--unit", "tablet",
            "--as-needed", "--amount", "1", "--gap", "6h")
    journal.run(f"{day(7)} 23:59:25", "interactions", "rules", "load", "starter")
    journal.run(f"{day(7)} 23:59:30", "caregiver", "grant", rosa, "mara", "--sections", "myhealth", "--verbs", "read,contribute")
    return rosa


def pages(owner, rosa):
    """The pages of plans and doses, for the journey through every page."""
    record = f"/records/{rosa}"
    owner.go(f"{record}/medication")
    change = owner.page.locator("a[href$='/change']").first.get_attribute("href")
    plan = change.removesuffix("/change")
    return {
        "today": f"{record}/today", "medication": f"{record}/medication", "plan-new": f"{record}/medication/new?kind=drug",
        "plan-change": change, "plan-pause": f"{plan}/pause", "plan-stop": f"{plan}/stop", "plan-stock": f"{plan}/stock",
        "calendar": f"{record}/calendar", "adherence": f"{record}/adherence", "stock": f"{record}/stock", "sheet": f"{record}/sheet",
        "zone": f"{record}/today/zone", "interactions": f"{record}/interactions", "versions": f"{record}/versions",
        "calendars": f"{record}/calendars", "say": f"{record}/say",
        "plan-correct": f"{plan}/correct",
    }


def week(journeys, script):
    """Plans, taps on the phone, a skipped dose, a taper, a trip, what runs out, and a caregiver who logs for her."""
    owner = Person(journeys, "owner", script, width=390)
    owner.press("Rosa Keller")
    owner.press("Today")
    owner.expect("Today,")
    owner.expect("with a glass of water")
    # The journey runs twice: what the first run logged is taken back.
    while owner.page.get_by_role("button", name="Undo").count():
        owner.page.get_by_role("button", name="Undo").first.click()
        owner.page.wait_for_load_state()
    # The pills of the morning take one tap on the first page.
    owner.go("/records")
    owner.page.get_by_role("button", name="All of").first.click()
    owner.page.wait_for_load_state()
    owner.look()
    owner.expect("Recorded as taken.")
    owner.expect("Add something else")
    owner.press("Rosa Keller")
    owner.press("Today")
    owner.page.get_by_role("button", name="Undo: Levothyroxine").click()
    owner.page.wait_for_load_state()
    owner.expect("Taken back.")
    line = owner.page.locator("li.dose", has_text="Levothyroxine").first
    line.get_by_text("Another time or amount, or a reason").click()
    line.get_by_label("Why it was skipped").select_option(label="unwell")
    line.get_by_role("button", name="Skipped").click()
    owner.page.wait_for_load_state()
    owner.expect("Recorded as skipped.")

    # More of a medication than the plan allows is recorded only after a question, and the person is told.
    owner.page.get_by_role("button", name="Take now: Paracetamol").click()
    owner.page.wait_for_load_state()
    owner.refused = True
    owner.page.get_by_role("button", name="Take now: Paracetamol").click()
    owner.page.wait_for_load_state()
    owner.look()
    owner.refused = False
    owner.expect("Please check this dose")
    owner.expect("Nothing of this has been recorded yet.")
    owner.press("It was taken: record it")
    owner.expect("closer to another dose than the plan allows")
    owner.expect("possible again from")

    # A taper, described before it is saved.
    owner.go(f"/records/{journeys.rosa}/medication")
    owner.press("Add: Medication")
    owner.fill("Name (required)", "Prednisone" + (" with" if script else ""))
    owner.fill("What is counted", "tablet")
    owner.page.get_by_label("How it is taken (required)").select_option(label="Less step by step (taper)")
    if script:
        owner.page.get_by_label("Steps of the taper").wait_for()
    else:
        owner.press("Show its fields")
    owner.fill("Time", "08:00")
    owner.fill("Steps of the taper", "40x5, 30x5, 7x5")
    owner.fill("Strength of one unit, for a taper", "5 mg")
    owner.refused = True
    owner.press("Check")
    owner.refused = False
    owner.expect("whole number of half units")
    owner.fill("Steps of the taper", "40x5, 30x5, 20x5, 10x5, 5x5")
    owner.press("Check")
    owner.expect("8\u00a0tablets × 5 mg = 40 mg at 08:00")
    owner.expect("1\u00a0tablet (5 mg) at 08:00")
    owner.press("Save the plan")
    owner.expect("Prednisone")

    # Seven tablets are left after this week: it is time to get more.
    owner.go(f"/records/{journeys.rosa}/today")
    owner.expect("Lisinopril runs out on")
    owner.press("Medication")
    owner.press("Stock")
    owner.expect("refill by")

    # In Kathmandu the doses of home are due at other times of the clock there.
    owner.go(f"/records/{journeys.rosa}/today")
    if script:
        # The browser is in Zurich, and the journal in London's winter time.
        owner.expect("You seem to be in the time zone Europe/Zurich")
    owner.press("Somewhere else?")
    owner.page.get_by_label("Time zone (required)").select_option(label="Asia/Kathmandu")
    owner.press("Save")
    owner.expect("Times are those of the clock in Asia/Kathmandu.")
    owner.expect("Lisinopril")
    # Back home: in the evening it is tomorrow already in Kathmandu, and the next journey needs the doses of today.
    owner.press("Somewhere else?")
    owner.page.get_by_label("Time zone (required)").select_option(label="Europe/London")
    owner.press("Save")
    owner.expect("Times are those of the clock in Europe/London.")
    owner.press("Medication")
    owner.press("To print")
    owner.expect("Medication of Rosa Keller")
    owner.expect("Prednisone")
    owner.go(f"/records/{journeys.rosa}/adherence")
    owner.expect("of planned")

    # A caregiver with the right to add logs a dose for her.
    mara = Person(journeys, "mara", script, width=390)
    mara.go(f"/records/{journeys.rosa}/today")
    mara.refused = True
    mara.page.get_by_role("button", name="Take now: Paracetamol").click()
    mara.page.wait_for_load_state()
    mara.look()
    mara.refused = False
    # Hers is asked about as well: the owner's doses count.
    mara.expect("Please check this dose")
    mara.press("It was taken: record it")
    mara.expect("Recorded")
    owner.go(f"/records/{journeys.rosa}/history")
    owner.expect("mara")
    for person in (owner, mara):
        person.context.close()


def offline(journeys, journal):
    """Two phones log doses without a connection: nothing is lost, and what they disagree about is asked."""
    record = f"/records/{journeys.rosa}"
    phones = [Person(journeys, "owner", True, width=390) for _ in range(2)]
    for phone in phones:
        phone.go(f"{record}/today")
        while phone.page.get_by_role("button", name="Undo").count():
            phone.page.get_by_role("button", name="Undo").first.click()
            phone.page.wait_for_load_state()
        phone.page.get_by_role("button", name="Keep the next 14 days on this device").click()
        phone.page.get_by_text("Works without a connection on this device until").wait_for()
    journal.stop()
    for phone, tap in zip(phones, ("Taken", "Skipped")):
        phone.refused = True
        phone.page.goto(f"{journeys.base}{record}/today")
        phone.expect("This page is kept on the device.")
        phone.look()
        phone.page.get_by_role("button", name=f"{tap}: Lisinopril").first.click()
        phone.page.get_by_text("logged on this device since").wait_for()
        phone.page.get_by_text(f"Logged as {tap.lower()} on this device at").wait_for()
    # What waits survives the browser's restart of the page.
    phones[0].page.reload()
    phones[0].page.get_by_text("logged on this device since").wait_for()
    journal.serve(journeys.base.rsplit(":", 1)[1])
    phones[0].page.goto(f"{journeys.base}{record}/today")
    phones[0].page.locator("li.dose.taken", has_text="Lisinopril").wait_for()
    if phones[0].page.get_by_text("logged on this device since").is_visible():
        journeys.problem("a dose that was sent still waits")
    # The second phone says that the same dose was skipped: its tap is kept until somebody decides.
    phones[1].page.goto(f"{journeys.base}{record}/today")
    phones[1].page.get_by_text("was not accepted").wait_for()
    phones[1].press("See why")
    phones[1].expect("This dose is logged already")
    phones[1].sign_out()
    if phones[1].page.evaluate("caches.has('today')"):
        journeys.problem("signing out leaves the pages on the device")
    phones[0].go(f"{record}/today")
    phones[0].page.get_by_role("button", name="Remove them from this device").click()
    phones[0].page.get_by_role("button", name="Keep the next 14 days on this device").wait_for()
    for phone in phones:
        phone.context.close()


def kept(journeys):
    """The days that a device keeps are gone when the session ends, whoever ends it and however the clock is set."""
    record = f"/records/{journeys.rosa}"
    person = Person(journeys, "owner", True, width=390)
    person.refused = True

    def keep():
        person.go(f"{record}/today")
        person.page.get_by_role("button", name="Keep the next 14 days on this device").click()
        person.page.get_by_text("Works without a connection on this device until").wait_for()

    def is_readable(what, expected):
        person.context.set_offline(True)
        try:
            person.page.goto(f"{journeys.base}{record}/today")
            found = "Lisinopril" in person.page.content()
        except Exception:
            found = False
        if found != expected:
            journeys.problem(f"{what}: the kept page is {'' if found else 'not '}readable without a connection")
        person.context.set_offline(False)
        person.page.goto(f"{journeys.base}/health/live")
        left = person.page.evaluate("caches.open('today').then((c) => c.keys()).then((k) => k.filter((r) => r.url.endsWith('/ahead')).length)")
        if left != (1 if expected else 0):
            journeys.problem(f"{what}: {left} pages are kept")

    def pass_time(milliseconds):
        """Moves the clock of the device, as the service worker sees it."""
        worker = person.context.service_workers[0]
        worker.evaluate(f"() => {{ const own = self.own ??= Date.now; Date.now = () => own() + {milliseconds}; }}")

    keep()
    is_readable("in a session", True)
    pass_time(400 * 86400000)
    is_readable("after the session expired", False)
    pass_time(0)
    keep()
    pass_time(-3600000)
    is_readable("after the clock was set back", False)
    pass_time(0)
    keep()
    # The session is ended elsewhere: the next page that is shown is the one to sign in.
    other = Person(journeys, "owner", True, width=390)
    other.go("/settings/sign-in")
    while other.page.get_by_role("button", name="End this session").count():
        other.page.get_by_role("button", name="End this session").first.click()
        other.page.wait_for_load_state()
    other.context.close()
    person.page.goto(f"{journeys.base}/")
    is_readable("after the session was ended elsewhere", False)
    person.sign_in("owner", "Today", {"accountName": "Account", "password": "Password", "signIn": "Sign in"})
    keep()
    person.sign_out()
    is_readable("after signing out", False)
    person.context.close()


def versions(journeys, journal):
    """Two devices change one weight without knowing of each other: both versions are shown, and one is taken."""
    def ask(*arguments):
        return json.loads(journal.now(*arguments, "--format", "json"))

    token = ask("token", "issue", "owner", "--scope", "full")["token"]
    weight = ask("weight", "log", journeys.rosa, "61kg")["entry"]
    devices = [journal.replica(name, token) for name in ("phone", "tablet")]
    for device in devices:
        device("sync")
    for device, value in zip(devices, ("62", "63")):
        device("entry", "correct", weight, f"value={value}")
    for device in devices:
        device("sync")
    owner = Person(journeys, "owner", True, width=390)
    owner.go(f"/records/{journeys.rosa}/entries/weight/{weight}")
    owner.press("Two versions")
    owner.expect("Keep what is shown")
    journeys.picture(owner, journeys.folder, "two-versions", "light", 390)
    for text in ("62", "63", "phone", "tablet"):
        owner.expect(text)
    owner.press("Take the other version")
    owner.expect("No two versions of an entry contradict each other.")
    shown = ask("entry", "list", journeys.rosa, "weight")[-1]["value"]
    if shown != "62":
        journeys.problem(f"the other version was not taken: {shown}")
    owner.context.close()
