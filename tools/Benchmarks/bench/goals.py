"""The performance goals of the journal, and whether a run reaches them.

Most goals are ratios to another value of the same run. The goals for rebuilding views and for memory are fixed numbers.
"""

from dataclasses import dataclass

from .groups import append, care, clinic, exchange, growth, http, read, search
from .numbers import short
from .options import Options
from .results import Key, Results

OURS = "healthjournal"
# Peers that can read one stream without reading all. (SQLite with one committing thread is our own construction.)
BY_STREAM = ("sqlite", "postgres", "redis streams", "eventsourcing")
LOG_ONLY = ("redis log",)


@dataclass(frozen=True)
class Judged:
    goal: str
    ours: str
    against: str
    ratio: float | None
    wanted: str
    holds: bool | None  # None: not measured, or not at the size of the goal
    note: str = ""


@dataclass(frozen=True)
class Measured:
    what: str
    value: float
    unit: str

    def __str__(self) -> str:
        return f"{short(self.value)} {self.unit}"


def judge(results: Results, options: Options) -> list[Judged]:
    groups = {
        append.GROUP: _appending,
        read.GROUP: _reading,
        growth.GROUP: _growing,
        http.GROUP: _serving,
        care.GROUP: _caring,
        clinic.GROUP: _booking,
        search.GROUP: _searching,
        exchange.GROUP: _exchanging,
    }
    return [judged for group, judge_group in groups.items() if group in options.only for judged in judge_group(results)]


def _one(results: Results, group: str, work: str, system: str, axis: str = "", size: int = 0) -> Measured | None:
    series = results.series.get(Key(group, work, system, axis, size))
    if not series:
        return None
    return Measured(work if system == OURS else f"{system}, {work}", series.median, series.unit)


def _best(results: Results, group: str, work: str, systems: tuple[str, ...]) -> Measured | None:
    found = [(system, _one(results, group, work, system)) for system in systems]
    there = [(one.value, system, one.unit) for system, one in found if one]
    if not there:
        return None
    value, system, unit = max(there)
    return Measured(system, value, unit)


def _held(
    goal: str,
    ours: Measured | None,
    reference: Measured | None,
    least: float | None = None,
    most: float | None = None,
    note: str = "",
) -> Judged:
    wanted = f"≥ {least:g}" if least is not None else f"≤ {most:g}"
    if not ours or not reference:
        lacking = "ours" if not ours else "the reference"
        return Judged(goal, str(ours or "–"), _named(reference), None, wanted, None, f"{lacking} was not measured")
    ratio = ours.value / reference.value
    holds = ratio >= least if least is not None else ratio <= (most or 0)
    return Judged(goal, str(ours), _named(reference), ratio, wanted, holds, note)


def _limited(
    goal: str,
    ours: Measured | None,
    reference: Measured | None,
    least: float | None = None,
    most: float | None = None,
) -> Judged:
    """Judges a number by itself; the ratio to the reference is only shown."""
    bound = least if least is not None else most or 0
    wanted = f"{'≥' if least is not None else '≤'} {bound:g}"
    if not ours:
        return Judged(goal, "–", _named(reference), None, wanted, None, "ours was not measured")
    ratio = ours.value / reference.value if reference else None
    holds = ours.value >= bound if least is not None else ours.value <= bound
    return Judged(goal, str(ours), _named(reference), ratio, f"{wanted} {ours.unit}", holds, "")


def _named(reference: Measured | None) -> str:
    return f"{reference.what}: {reference}" if reference else "–"


def _appending(results: Results) -> list[Judged]:
    def beside(goal: str, shape: tuple[int, int], systems: tuple[str, ...], least: float) -> Judged:
        work = append.name(*shape)
        absent = [system for system in systems if not _one(results, append.GROUP, work, system)]
        # The best of the measured systems may not be the best of all.
        note = f"without {', '.join(absent)}" if absent else ""
        ours = _one(results, append.GROUP, work, OURS)
        return _held(goal, ours, _best(results, append.GROUP, work, systems), least, note=note)

    return [
        beside("one writer, single events, against LMDB in C without an index", (1, 1), ("lmdb log",), 0.9),
        beside("16 writers, single events, against the best peer", (16, 1), BY_STREAM, 1.5),
        beside("256 writers, single events, against the best peer", (256, 1), BY_STREAM, 2),
        beside("batches of 1,000, against the best peer", (1, 1000), BY_STREAM, 2),
        beside("batches of 1,000, against the best peer that cannot read one stream", (1, 1000), LOG_ONLY, 1),
    ]


def _reading(results: Results) -> list[Judged]:
    def one(work: str, system: str = OURS) -> Measured | None:
        return _one(results, read.GROUP, work, system)

    rebuilt, limit = one("rebuild"), one("rebuild limit", "lmdb")
    return [
        _held("fold, against PostgreSQL's raw rows", one("fold"), one("scan of rows", "postgres"), 1.2),
        _held("fold, against eventsourcing's decoded events", one("fold"), one("events decoded", "eventsourcing"), 6),
        _held("verify, against its hashes and seals alone", one("verify"), one("primitives"), 0.7),
        _rebuilding(rebuilt, limit),
        _held(
            "a page as of the past, against one as of now", one("page as of the past"), one("page as of now"), most=1.2
        ),
    ]


def _rebuilding(rebuilt: Measured | None, limit: Measured | None) -> Judged:
    """Compares the rate with a fixed number; also reports its ratio to LMDB with one put per event."""
    ratio = rebuilt.value / limit.value if rebuilt and limit else None
    holds = rebuilt.value >= 400_000 if rebuilt else None
    note = "" if rebuilt else "ours was not measured"
    return Judged("views rebuilt", str(rebuilt or "–"), _named(limit), ratio, "400,000 events/s", holds, note)


def _growing(results: Results) -> list[Judged]:
    def at(work: str, axis: str, size: int) -> Measured | None:
        found = _one(results, growth.GROUP, work, OURS, axis, size)
        return found and Measured(f"at {size:,} {axis}", found.value, found.unit)

    def grown(
        goal: str, work: str, axis: str, small: int, large: int, least: float | None = None, most: float | None = None
    ) -> Judged:
        """Compares the value at the goal's size with the value at a small one.

        If the goal's size was not measured, this uses the largest that was, and leaves the goal undecided.
        """
        reached = max([size for size in results.sizes(work, axis) if size <= large], default=large)
        held = _held(goal, at(work, axis, reached), at(work, axis, small), least, most)
        return held if reached == large else _short_of(held, reached, large)

    past = "page as of the past"
    return [
        grown(
            "append rate at 10,000,000 events, against 100,000", growth.APPEND, "events", 100_000, 10_000_000, least=0.8
        ),
        grown("open at 10,000,000 events, against 1,000", "open", "events", 1_000, 10_000_000, most=2),
        grown("a page as of the past of 1,000,000 entries, against 100", past, "entries", 100, 1_000_000, most=1.5),
        _memory(results),
    ]


def _short_of(held: Judged, reached: int, wanted: int) -> Judged:
    note = f"measured at {reached:,} only: --largest {wanted}" if held.ratio is not None else held.note
    return Judged(held.goal, held.ours, held.against, held.ratio, held.wanted, None, note)


def _memory(results: Results) -> Judged:
    goal, wanted, asked = "memory that is not page cache, folding 5 million events", "≤ 64 MiB", 5_000_000
    sizes = results.sizes(read.MEMORY, "events")
    if not sizes:
        return Judged(goal, "–", "–", None, wanted, None, "ours was not measured")
    largest = max(sizes)
    found = _one(results, growth.GROUP, read.MEMORY, OURS, "events", largest)
    assert found
    if largest < asked:
        return Judged(goal, str(found), "–", None, wanted, None, f"measured at {largest:,} only: --largest 10000000")
    return Judged(goal, str(found), "–", None, wanted, found.value <= 64, f"at {largest:,} events")


def _serving(results: Results) -> list[Judged]:
    def one(work: str, system: str = OURS) -> Measured | None:
        return _one(results, http.GROUP, work, system)

    return [
        _held("HTTP: a page of 50 entries, against hello", one(http.PAGE), one(http.GET, http.HELLO), 0.5),
        _held("HTTP: a durable weight, against hello", one(http.WEIGHT), one(http.POST, http.HELLO), 0.3),
        _held("HTTP: a page of FHIR, against one of ours of about the same size", one(http.FHIR), one(http.PAGE), 0.8),
    ]


def _caring(results: Results) -> list[Judged]:
    def one(work: str, system: str = OURS) -> Measured | None:
        return _one(results, care.GROUP, work, system)

    def within(goal: str, work: str, limit: float) -> Judged:
        found = one(work)
        note = "" if found else "ours was not measured"
        return Judged(goal, str(found or "–"), "–", None, f"≤ {limit:g} ms", found.value <= limit if found else None, note)

    return [
        _held("what is due, against python-dateutil", one(care.DUE), one(care.DUE, care.DATEUTIL), 20),
        within("what is due by 50 plans in a year", care.MILLISECONDS, 50),
        within("HTTP: today, of 50 plans with 3 years of doses", care.TODAY, 50),
        _held("sync of 10,000 changes, against the append command", one(care.SYNC), one(care.APPENDED), 0.5),
        within("completing a name among 20,000", care.SUGGEST, 10),
        within("reading a sentence", care.DRAFT, 20),
    ]


def _booking(results: Results) -> list[Judged]:
    def one(work: str, system: str = OURS) -> Measured | None:
        return _one(results, clinic.GROUP, work, system)

    def within(goal: str, work: str, limit: float) -> Judged:
        found = one(work)
        note = "" if found else "ours was not measured"
        return Judged(goal, str(found or "–"), "–", None, f"≤ {limit:g} ms", found.value <= limit if found else None, note)

    def faster(goal: str, work: str) -> Judged:
        own, peer = one(work), one(work, clinic.EXCLUSION)
        ratio = own.value / peer.value if own and peer else None
        holds = ratio <= 1 if ratio is not None else None
        return Judged(goal, str(own or "–"), str(peer or "–"), ratio, "≤ 1", holds)

    return [
        _held("100 clients book 100 times, against entries one by one", one(clinic.DIFFERENT), one(clinic.SINGLE), 0.5),
        within("100 clients, one time: the first has it", clinic.FIRST, 100),
        faster("100 clients, one time: the first, against an exclusion constraint", clinic.FIRST),
        faster("100 clients, one time: all answered, against an exclusion constraint", clinic.ALL),
        within("a week of 20 specialists", clinic.LATER, 20),
        within("a week of 20 specialists, after five years", clinic.YEARS, 20),
        within("free times of 20 specialists over 92 days", clinic.FREE, 20),
    ]


def _searching(results: Results) -> list[Judged]:
    def within(where: str, limit: float) -> Judged:
        own = _one(results, search.GROUP, search.slowest(where), OURS)
        peer = _one(results, search.GROUP, search.slowest(where), search.FTS5)
        # The peer's index is in the clear; the ratio is the price of having none.
        ratio = own.value / peer.value if own and peer else None
        note = "" if own else "ours was not measured"
        holds = own.value <= limit if own else None
        return Judged(f"search in {where}", str(own or "–"), str(peer or "–"), ratio, f"≤ {limit:g} ms", holds, note)

    return [within(where, limit) for where, limit in zip(search.SIZES, (100, 1_000), strict=True)]


def _exchanging(results: Results) -> list[Judged]:
    def one(work: str, system: str = OURS) -> Measured | None:
        return _one(results, exchange.GROUP, work, system)

    return [
        _held("FHIR: a dry run, against json.loads", one(exchange.DRY), one(exchange.READ, exchange.JSON), most=2),
        _held(
            "FHIR: resources a second of a dry run, against fhir.resources",
            one(exchange.RATE),
            one(exchange.RATE, exchange.MODELS),
            least=2,
        ),
        _held("FHIR: a durable import, against a dry run", one(exchange.DURABLE), one(exchange.DRY), most=2),
        _held("FHIR: peak memory of an import, against the document", one(exchange.PEAK), one(exchange.SIZE), most=4),
        _limited("FHIR: export", one(exchange.EXPORT), None, least=50_000),
        _limited("Apple Health: import", one(exchange.APPLE), one(exchange.APPLE, exchange.EXPAT), least=40),
        _limited(
            "Apple Health: peak memory of an import",
            one(exchange.APPLE_PEAK),
            one(exchange.APPLE_PEAK, exchange.EXPAT),
            most=64,
        ),
    ]
