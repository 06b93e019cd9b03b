"""Books the same times as the journal's workload `clinic` in PostgreSQL, with an exclusion constraint.

main.py CONNECTION        prints how long 100 clients, each with a connection of its own, need for 100 different times of one
specialist, and for one time: until the first one had it, and until all had an answer
"""

import json
import sys
import threading
import time

import psycopg

CLIENTS = 100
TABLE = """
CREATE EXTENSION IF NOT EXISTS btree_gist;
DROP TABLE IF EXISTS appointments;
CREATE TABLE appointments (
    id bigserial PRIMARY KEY, specialist uuid NOT NULL, patient uuid NOT NULL, during tstzrange NOT NULL, details bytea,
    EXCLUDE USING gist (specialist WITH =, during WITH &&),
    EXCLUDE USING gist (patient WITH =, during WITH &&)
);
"""
INSERT = """
INSERT INTO appointments (specialist, patient, during, details)
VALUES ('00000000-0000-4000-8000-000000000001', %s::uuid, tstzrange(%s::timestamptz, %s::timestamptz), %s)
"""


def book(connections: list[psycopg.Connection], minutes: list[int]) -> tuple[float, float, int]:
    """Lets each connection book one time at once; returns the seconds until the first success and until the end."""
    ready = threading.Barrier(len(connections) + 1)
    done: list[float] = []

    def client(number: int, connection: psycopg.Connection) -> None:
        start = f"2199-03-01T{minutes[number] // 60:02}:{minutes[number] % 60:02}:00Z"
        after = minutes[number] + 10
        end = f"2199-03-01T{after // 60:02}:{after % 60:02}:00Z"
        patient = f"00000000-0000-4000-8000-{number:012}"
        ready.wait()
        try:
            connection.execute(INSERT, (patient, start, end, bytes(300)))
            done.append(time.perf_counter())
        except psycopg.errors.ExclusionViolation:
            pass

    threads = [threading.Thread(target=client, args=pair) for pair in enumerate(connections)]
    for thread in threads:
        thread.start()
    ready.wait()
    begin = time.perf_counter()
    for thread in threads:
        thread.join()
    end = time.perf_counter()
    return min(done) - begin, end - begin, len(done)


def main() -> None:
    connections = [psycopg.connect(sys.argv[1], autocommit=True) for _ in range(CLIENTS)]
    connections[0].execute(TABLE)
    _, different, count = book(connections, [number * 10 for number in range(CLIENTS)])
    if count != CLIENTS:
        raise SystemExit(f"{count} of {CLIENTS} different times were booked")
    connections[0].execute("TRUNCATE appointments")
    first, whole, count = book(connections, [600] * CLIENTS)
    if count != 1:
        raise SystemExit(f"one time was booked {count} times")
    line = {"system": "exclusion", "work": "clinic", "events": CLIENTS, "seconds": different}
    print(json.dumps({**line, "first_ms": first * 1e3, "all_ms": whole * 1e3}))


if __name__ == "__main__":
    main()
