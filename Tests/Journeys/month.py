"""A month of a family, in each language of the pages, and the pages in a language that is written from right to left."""

import re
import subprocess
from pathlib import Path

from people import Person

# Each with a browser's locale, and last year's bill as it is written there.
LANGUAGES = [("en", "en-GB", "42.50"), ("de", "de-DE", "42,50"), ("fr", "fr-FR", "42,50")]
HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"


def words_of(program, tag):
    """Returns the texts of a language, as the program prints them."""
    printed = subprocess.run([program, "words", tag], capture_output=True, text=True, check=True).stdout
    lines = (line for line in printed.splitlines() if line and not line.startswith("#"))
    return dict(line.split(" = ", 1) for line in lines)


def sample(program):
    """Returns texts in Hebrew letters: nobody can read them, but they are as long, and run from right to left."""
    def written(text):
        parts = re.split(r"(\{\d\})", text)
        return "".join(part if part.startswith("{") else
                       "".join(HEBREW[ord(c.lower()) - 97] if c.isascii() and c.isalpha() and ord(c.lower()) - 97 < len(HEBREW)
                               else "ת" if c.isascii() and c.isalpha() else c for c in part) for part in parts)

    texts = {name: written(text) for name, text in words_of(program, "en").items()}
    return texts | {"languageTag": "he", "languageName": "עברית", "direction": "rtl", "singularNumbers": "1", "backMark": "→",
                    "onMark": "←"}


def sample_file(program, folder):
    """Writes the sample texts as a file of the service."""
    path = Path(folder) / "he.words"
    path.write_text("".join(f"{name} = {text}\n" for name, text in sample(program).items()), encoding="utf-8")
    return str(path)


def month(journeys, program, tag, locale, bill):
    """Finds last year's bill, corrects it, undoes that, adds a weight, lets a caregiver in, prints the record, and erases the weight."""
    words = words_of(program, tag)
    owner = Person(journeys, "owner", True, width=390, locale=locale, words=words)
    page = owner.page

    def picture(name):
        journeys.picture(owner, journeys.folder, f"month-{tag}-{name}", "light", 390)

    if page.evaluate("document.documentElement.lang") != tag:
        journeys.problem(f"the page is not in {tag}")
    picture("records")
    # Find last year's bill.
    owner.press(words["search"])
    owner.fill(words["searchWords"], "vet biscuit 2025")
    owner.press(words["search"])
    owner.expect("Biscuit")
    picture("search")
    page.get_by_role("link", name=bill).first.click()
    owner.look()
    owner.expect(words["versions"])
    picture("entry")
    # Correct it, and undo that.
    decimal = bill[2]
    owner.press(words["correct"])
    page.fill("[name=amount]", f"43{decimal}50")
    picture("correct")
    owner.press(words["save"])
    owner.expect(f"43{decimal}50")
    owner.press(words["undoLast"])
    owner.expect(words["undone"])
    owner.expect(bill)
    # A weight, mistyped first.
    owner.go(f"/records/{journeys.dog}/entries/weight/new")
    page.fill("[name=value]", "heavy")
    owner.refused = True
    owner.press(words["save"])
    problem = page.locator("#field-value-problem").inner_text()
    if tag != "en" and re.search(r"\b(must|is|a|not)\b", problem):
        journeys.problem(f"in {tag}, a problem is “{problem}”")
    picture("mistake")
    page.fill("[name=value]", f"12{decimal}4")
    page.locator("[name=unit]").select_option("kg")
    owner.press(words["save"])
    if page.locator("[name=sure]").count():
        owner.press(words["saveAnyway"])
    owner.expect(f"12{decimal}4")
    owner.refused = False
    weight = page.url.removeprefix(journeys.base).split("?")[0]
    # Let a caregiver in.
    owner.go(f"/records/{journeys.dog}/caregivers")
    owner.press(words["invite"])
    page.get_by_label(words["section.myhealth"], exact=True).check()
    page.get_by_label(words["verb.read"], exact=True).check()
    owner.press(words["makeInvitation"])
    owner.expect(words["invitationMade"])
    # Print it, and look at the costs of last year.
    printed = page.request.get(f"{journeys.base}/records/{journeys.dog}/export/file?as=html",
                               headers={"Accept-Language": locale}).text()
    for text in [f'<html lang="{tag}"', words["label.Weight"], f"12{decimal}4"]:
        if text not in printed:
            journeys.problem(f"the print in {tag} does not contain “{text}”")
    owner.go(f"/records/{journeys.dog}/costs")
    owner.expect("2025")
    owner.expect(bill)
    picture("costs")
    for path in ["", "/weight", "/today", "/medication", "/timeline", "/history", "/access", "/export"]:
        owner.go(f"/records/{journeys.ada}{path}")
        picture(path.strip("/") or "record")
    for path in ["", "/profile", "/reminders", "/sign-in", "/programs"]:
        owner.go(f"/settings{path}")
        picture(f"settings{path.replace('/', '-')}")
    # The weight was that of another dog: nobody shall read it.
    owner.go(weight)
    owner.press(words["eraseEntry"])
    owner.expect(words["eraseHeading"])
    picture("erase")
    owner.refused = True
    owner.press(words["erase"])
    owner.refused = False
    picture("erase-mistake")
    page.fill("[name=reason]", "Luna")
    owner.press(words["erase"])
    owner.expect(words["erasedNow"])
    picture("erased")
    owner.go(f"/records/{journeys.dog}/history")
    owner.expect("Luna")
    owner.refused = True
    if owner.go(weight).status != 410:
        journeys.problem("an erased entry still has a page")
    picture("erased-entry")
    owner.refused = False
    owner.context.close()


def right_to_left(journeys, program):
    """Opens the main pages in a language that is written from right to left."""
    for width in (1280, 390):
        owner = Person(journeys, "owner", True, width=width, locale="he-IL", words=sample(program))
        for path in ["/records", f"/records/{journeys.ada}", f"/records/{journeys.ada}/weight", f"/records/{journeys.dog}/costs",
                     f"/records/{journeys.rosa}/today", f"/records/{journeys.rosa}/medication", f"/records/{journeys.ada}/timeline",
                     f"/records/{journeys.ada}/history", f"/records/{journeys.ada}/caregivers", "/settings", "/settings/reminders", "/import"]:
            owner.go(path)
            if owner.page.evaluate("document.dir") != "rtl":
                journeys.problem(f"{path} does not run from right to left")
            # The first heading begins at the right edge of the content.
            edges = owner.page.evaluate(
                "(() => { const r = document.createRange(); r.selectNodeContents(document.querySelector('h1'));"
                " return [r.getBoundingClientRect().right, document.querySelector('main').getBoundingClientRect().right,"
                " parseFloat(getComputedStyle(document.querySelector('main')).paddingRight)] })()")
            if abs(edges[0] + edges[2] - edges[1]) > 60:
                journeys.problem(f"{path}: the heading ends at {edges[0]} of {edges[1]} pixels")
            name = re.sub(r"[0-9a-f-]{36}", "record", path).strip("/").replace("/", "-")
            journeys.picture(owner, journeys.folder, f"rtl-{name}", "light", width)
        owner.context.close()
