"""The closed loop of common/writers.c: each writer saves a batch, waits until it is durable, and saves the next."""

import random
import threading
import time
from argparse import Namespace
from typing import Any

from journal import Record, open_application, record_weight

STREAMS = 10_000
EVENTS_A_RECORD_FILLED = 1_000


def append(options: Namespace) -> dict[str, Any]:
    application = open_application(options.folder)
    records = [Record() for _ in range(STREAMS)]
    application.save(*records)
    ready = threading.Barrier(options.writers + 1)
    latencies: list[list[float]] = [[] for _ in range(options.writers)]
    ended = [0.0] * options.writers

    def work(number: int) -> None:
        # Each aggregate belongs to one writer: concurrent changes of one aggregate are refused, and are not measured
        # here.
        own = records[number :: options.writers]
        choose = random.Random(number).choice
        ready.wait()
        begun = time.perf_counter()
        end = begun + options.seconds
        while begun < end:
            changed = {}
            for _ in range(options.batch):
                record = choose(own)
                record_weight(record)
                changed[record.id] = record
            application.save(*changed.values())
            done = time.perf_counter()
            latencies[number].append(done - begun)
            begun = done
        ended[number] = begun

    threads = [threading.Thread(target=work, args=[number]) for number in range(options.writers)]
    for thread in threads:
        thread.start()
    ready.wait()
    begun = time.perf_counter()
    for thread in threads:
        thread.join()
    application.close()
    each = sorted(latency for one in latencies for latency in one)
    return {
        "writers": options.writers,
        "batch": options.batch,
        "events": len(each) * options.batch,
        "seconds": max(ended) - begun,
        "p50_us": each[len(each) // 2] * 1e6,
        "p99_us": each[len(each) * 99 // 100] * 1e6,
        "note": "WAL, synchronous=FULL; versions are checked as it always does",
    }


def fill(options: Namespace) -> dict[str, Any]:
    application = open_application(options.folder)
    begun = time.perf_counter()
    for _ in range(options.events // EVENTS_A_RECORD_FILLED):
        record = Record()
        for _ in range(EVENTS_A_RECORD_FILLED - 1):
            record_weight(record)
        application.save(record)
    seconds = time.perf_counter() - begun
    application.close()
    return {"events": options.events // EVENTS_A_RECORD_FILLED * EVENTS_A_RECORD_FILLED, "seconds": seconds}
