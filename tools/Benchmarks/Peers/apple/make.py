"""Writes an export of Apple Health of about a size, as iOS writes it: with a malformed document type, two devices that count
the same steps, records that are repeated, and characters that XML does not allow.

make.py FILE MEBIBYTES [--zip]
"""

import datetime
import sys
import zipfile

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
  device CDATA #IMPLIED
]>
<HealthData locale="en_CH">
 <ExportDate value="2026-03-01 10:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1984-05-01" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet"/>
"""

DEVICE = "&lt;&lt;HKDevice: 0x2834a1b00&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:10.3&gt;"


def record(name, value, unit, start, end, source):
    return (
        f' <Record type="HKQuantityTypeIdentifier{name}" sourceName="{source}" sourceVersion="10.3" device="{DEVICE}" '
        f'unit="{unit}" creationDate="{end}" startDate="{start}" endDate="{end}" value="{value}"/>\n'
    )


def day(date, number):
    """The records of one day: some 2,400 of them, or 0.9 MB."""
    lines = []
    for minute in range(0, 1440, 1):
        start = f"{date} {minute // 60:02}:{minute % 60:02}:04 +0100"
        end = f"{date} {minute // 60:02}:{minute % 60:02}:56 +0100"
        lines.append(record("HeartRate", 60 + (minute * 7 + number) % 60, "count/min", start, start, "Watch"))
        if minute % 2 == 0 and 420 <= minute < 1320:
            lines.append(record("StepCount", 11 + minute % 90, "count", start, end, "Watch"))
            lines.append(record("StepCount", 9 + minute % 90, "count", start, end, "Phone"))
    morning = f"{date} 07:00:00 +0100"
    lines.append(record("BodyMass", f"{70 + number % 30 / 10:.2f}", "kg", morning, morning, "Scale\x0b"))
    lines.append(record("BloodPressureSystolic", 110 + number % 30, "mmHg", morning, morning, "Cuff"))
    lines.append(record("BloodPressureDiastolic", 70 + number % 20, "mmHg", morning, morning, "Cuff"))
    lines.append(lines[-3])
    lines.append(record("EnvironmentalAudioExposure", "61.2", "dBASPL", morning, morning, "Watch"))
    return "".join(lines).encode()


def parts(size):
    yield HEAD.encode()
    date, number, written = datetime.date(2016, 1, 1), 0, 0
    while written < size:
        block = day(date, number)
        written += len(block)
        date += datetime.timedelta(days=1)
        number += 1
        yield block
    yield b"</HealthData>\n"


def main():
    path, size = sys.argv[1], int(sys.argv[2]) << 20
    if "--zip" in sys.argv:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            with archive.open("apple_health_export/export.xml", "w", force_zip64=True) as file:
                for part in parts(size):
                    file.write(part)
        return
    with open(path, "wb") as file:
        for part in parts(size):
            file.write(part)


main()
