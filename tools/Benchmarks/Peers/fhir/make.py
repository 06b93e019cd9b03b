"""Writes a Bundle of FHIR R4 with made-up resources, of the types and sizes that Synthea's patients have.

make.py FILE RESOURCES        compact JSON, one patient for about 1,100 resources; the same bytes for the same number
"""

import json
import random
import sys
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

PER_PATIENT = 1_100
LOINC = "http://loinc.org"
SNOMED = "http://snomed.info/sct"
VALUES = (
    ("8302-2", "Body Height", "cm"), ("29463-7", "Body Weight", "kg"), ("8867-4", "Heart rate", "/min"),
    ("2339-0", "Glucose", "mg/dL"), ("38483-4", "Creatinine", "mg/dL"), ("2947-0", "Sodium", "mmol/L"),
    ("4548-4", "Hemoglobin A1c/Hemoglobin.total in Blood", "%"), ("72514-3", "Pain severity", "{score}"),
)
PROBLEMS = (
    ("Viral sinusitis (disorder)", "444814009"), ("Hypertension", "59621000"), ("Prediabetes", "15777000"),
    ("Full-time employment (finding)", "160903007"), ("Acute bronchitis (disorder)", "10509002"),
)
DRUGS = ("Hydrochlorothiazide 25 MG Oral Tablet", "Metformin 500 MG Oral Tablet", "Amoxicillin 250 MG Oral Capsule")
VACCINES = ("Influenza, seasonal, injectable, preservative free", "Td (adult), adsorbed", "zoster")
# How often each type occurs, as in Synthea's files.
WEIGHTS = {
    "Observation": 40, "Procedure": 17, "Claim": 11, "ExplanationOfBenefit": 8, "Encounter": 8, "DiagnosticReport": 7,
    "Condition": 4, "DocumentReference": 3, "MedicationRequest": 1.5, "Immunization": 0.5,
}


class Maker:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def bundle(self, count: int) -> Iterator[dict[str, Any]]:
        patient, encounter = self.uuid(), self.uuid()
        for number in range(count):
            if number % PER_PATIENT == 0:
                patient = self.uuid()
                yield self.entry(patient, "Patient", self.patient(number))
                continue
            kind = self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            own = self.uuid()
            if kind == "Encounter":
                encounter = own
            yield self.entry(own, kind, getattr(self, kind)(f"urn:uuid:{patient}", f"urn:uuid:{encounter}"))

    def entry(self, own: str, kind: str, resource: dict[str, Any]) -> dict[str, Any]:
        head = {"resourceType": kind, "id": own, "meta": {"profile": [f"http://hl7.org/fhir/us/core/{kind}"]}}
        return {
            "fullUrl": f"urn:uuid:{own}", "resource": head | resource, "request": {"method": "POST", "url": kind},
        }

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def moment(self) -> str:
        first = datetime(1990, 1, 1, tzinfo=timezone(timedelta(hours=-5)))
        return (first + timedelta(seconds=self.random.randrange(35 * 365 * 86_400))).isoformat()

    def coded(self, system: str, code: str, text: str) -> dict[str, Any]:
        return {"coding": [{"system": system, "code": code, "display": text}], "text": text}

    def patient(self, number: int) -> dict[str, Any]:
        return {
            "identifier": [{"system": "https://example.org/records", "value": self.uuid()}],
            "name": [{"use": "official", "family": f"Family{number}", "given": ["Alex", "Sam"], "prefix": ["Ms."]}],
            "telecom": [{"system": "phone", "value": f"555-{number:07}", "use": "home"}],
            "gender": "female", "birthDate": "1951-06-07",
            "address": [{"line": [f"{number} Main Street"], "city": "Springfield", "state": "Massachusetts"}],
        }

    def Observation(self, patient: str, encounter: str) -> dict[str, Any]:
        code, text, unit = self.random.choice(VALUES)
        at = self.moment()
        return {
            "status": "final",
            "category": [{"coding": [{
                "system": "http://terminology.hl7.org/CodeSystem/observation-category",
                "code": self.random.choice(("vital-signs", "laboratory")),
            }]}],
            "code": self.coded(LOINC, code, text), "subject": {"reference": patient},
            "encounter": {"reference": encounter}, "effectiveDateTime": at, "issued": at,
            "valueQuantity": {
                "value": self.random.uniform(1, 180), "unit": unit, "system": "http://unitsofmeasure.org", "code": unit,
            },
        }

    def Procedure(self, patient: str, encounter: str) -> dict[str, Any]:
        at = self.moment()
        return {
            "status": "completed", "code": self.coded(SNOMED, "430193006", "Medication Reconciliation (procedure)"),
            "subject": {"reference": patient}, "encounter": {"reference": encounter},
            "performedPeriod": {"start": at, "end": at},
            "reasonReference": [{"reference": encounter, "display": "Chronic pain"}],
        }

    def Encounter(self, patient: str, encounter: str) -> dict[str, Any]:
        at = self.moment()
        return {
            "status": "finished",
            "class": {"system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "AMB"},
            "type": [self.coded(SNOMED, "162673000", "General examination of patient (procedure)")],
            "subject": {"reference": patient, "display": "Ms. Alex Family"},
            "participant": [{
                "type": [self.coded("http://terminology.hl7.org/CodeSystem/v3-ParticipationType", "PPRF", "performer")],
                "period": {"start": at, "end": at}, "individual": {"reference": "Practitioner?identifier=npi|9999"},
            }],
            "period": {"start": at, "end": at},
            "serviceProvider": {"reference": "Organization?identifier=o|1", "display": "Springfield Hospital"},
        }

    def DiagnosticReport(self, patient: str, encounter: str) -> dict[str, Any]:
        at = self.moment()
        results = [{"reference": f"urn:uuid:{self.uuid()}", "display": "Sodium"} for _ in range(12)]
        return {
            "status": "final", "code": self.coded(LOINC, "51990-0", "Basic Metabolic Panel"),
            "subject": {"reference": patient}, "encounter": {"reference": encounter},
            "effectiveDateTime": at, "issued": at, "result": results,
        }

    def Condition(self, patient: str, encounter: str) -> dict[str, Any]:
        text, code = self.random.choice(PROBLEMS)
        at = self.moment()
        status = "http://terminology.hl7.org/CodeSystem/condition-"
        return {
            "clinicalStatus": {"coding": [{"system": f"{status}clinical", "code": "active"}]},
            "verificationStatus": {"coding": [{"system": f"{status}ver-status", "code": "confirmed"}]},
            "code": self.coded(SNOMED, code, text), "subject": {"reference": patient},
            "encounter": {"reference": encounter}, "onsetDateTime": at, "recordedDate": at,
        }

    def DocumentReference(self, patient: str, encounter: str) -> dict[str, Any]:
        at = self.moment()
        return {
            "status": "superseded", "type": self.coded(LOINC, "34117-2", "History and physical note"),
            "subject": {"reference": patient}, "date": at,
            "content": [{"attachment": {"contentType": "text/plain; charset=utf-8", "data": "QSBub3RlLgog" * 60}}],
            "context": {"encounter": [{"reference": encounter}], "period": {"start": at, "end": at}},
        }

    def MedicationRequest(self, patient: str, encounter: str) -> dict[str, Any]:
        return {
            "status": self.random.choice(("active", "stopped")), "intent": "order",
            "medicationCodeableConcept": self.coded(
                "http://www.nlm.nih.gov/research/umls/rxnorm", "310798", self.random.choice(DRUGS)
            ),
            "subject": {"reference": patient}, "encounter": {"reference": encounter}, "authoredOn": self.moment(),
            "dosageInstruction": [{"sequence": 1, "text": "Take as needed.", "asNeededBoolean": True}],
        }

    def Immunization(self, patient: str, encounter: str) -> dict[str, Any]:
        return {
            "status": "completed",
            "vaccineCode": self.coded("http://hl7.org/fhir/sid/cvx", "140", self.random.choice(VACCINES)),
            "patient": {"reference": patient}, "encounter": {"reference": encounter},
            "occurrenceDateTime": self.moment(), "primarySource": True, "location": {"display": "Springfield Hospital"},
        }

    def Claim(self, patient: str, encounter: str) -> dict[str, Any]:
        at = self.moment()
        item = {
            "sequence": 1, "productOrService": self.coded(SNOMED, "162673000", "General examination of patient"),
            "encounter": [{"reference": encounter}], "net": {"value": 129.16, "currency": "USD"},
        }
        return {
            "status": "active", "use": "claim", "patient": {"reference": patient},
            "type": {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/claim-type", "code": "professional"}]},
            "billablePeriod": {"start": at, "end": at}, "created": at,
            "provider": {"reference": "Organization?identifier=o|1", "display": "Springfield Hospital"},
            "priority": {"coding": [{"code": "normal"}]},
            "insurance": [{"sequence": 1, "focal": True, "coverage": {"display": "Medicare"}}],
            "item": [item | {"sequence": number + 1} for number in range(6)],
            "total": {"value": 1_387.02, "currency": "USD"},
        }

    def ExplanationOfBenefit(self, patient: str, encounter: str) -> dict[str, Any]:
        adjudications = [{
            "category": self.coded("https://bluebutton.cms.gov/resources/variables/adjudication", name, name),
            "amount": {"value": 129.16, "currency": "USD"},
        } for name in ("line_nch_pmt_amt", "line_coinsrnc_amt", "line_prcsg_ind_cd", "line_sbmtd_chrg_amt")]
        claim = self.Claim(patient, encounter)
        claim["item"] = [item | {"adjudication": adjudications} for item in claim["item"]]
        del claim["priority"]
        return claim | {
            "insurer": {"display": "Medicare"}, "outcome": "complete",
            "insurance": [{"focal": True, "coverage": {"display": "Medicare"}}],
            "total": [{"category": {"text": "Submitted Amount"}, "amount": {"value": 129.16, "currency": "USD"}}],
            "payment": {"amount": {"value": 1_107.6, "currency": "USD"}},
        }


def main(file: Path, count: int) -> None:
    with file.open("w", encoding="utf-8") as out:
        out.write('{"resourceType":"Bundle","type":"transaction","entry":[')
        for number, entry in enumerate(Maker(count).bundle(count)):
            out.write("," * (number > 0) + json.dumps(entry, separators=(",", ":"), ensure_ascii=False))
        out.write("]}\n")


main(Path(sys.argv[1]), int(sys.argv[2]))
