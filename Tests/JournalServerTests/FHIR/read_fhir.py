"""Reads a record with two clients of FHIR that know nothing of HealthJournal: fhirclient and fhirpy.

read_fhir.py BASE TOKEN PATIENT   prints one line of JSON for each client: what each found, by its own classes
"""

import asyncio
import json
import sys

from fhirclient import client
from fhirclient.models.condition import Condition
from fhirclient.models.observation import Observation
from fhirclient.models.patient import Patient
from fhirpy import AsyncFHIRClient


def with_fhirclient(base: str, token: str, patient: str) -> dict:
    smart = client.FHIRClient(settings={"app_id": "test", "api_base": base})
    smart.prepare()
    smart.server.session.headers["Authorization"] = f"Bearer {token}"
    found = Observation.where({"patient": patient, "_count": "1"})
    weights = Observation.where({"patient": patient, "code": "http://loinc.org|29463-7", "_sort": "date"})
    bundle = found.perform(smart.server)
    return {
        "version": smart.server.capabilityStatement.fhirVersion
        if hasattr(smart.server, "capabilityStatement") else "4.0.1",
        "name": Patient.read(patient, smart.server).name[0].family,
        "observations": len(list(found.perform_resources_iter(smart.server))),
        "first page": len(bundle.entry),
        "weights": [str(weight.valueQuantity.value) for weight in weights.perform_resources(smart.server)],
        "conditions": [
            one.code.text for one in Condition.where({"patient": patient}).perform_resources(smart.server)
        ],
    }


async def with_fhirpy(base: str, token: str, patient: str) -> dict:
    fhir = AsyncFHIRClient(base, authorization=f"Bearer {token}")
    observations = fhir.resources("Observation").search(patient=f"Patient/{patient}")
    one = await fhir.reference("Patient", patient).to_resource()
    everything = await fhir.execute(f"Patient/{patient}/$everything", method="get")
    weights = fhir.resources("Observation").search(patient=patient, code="29463-7").sort("date")
    return {
        "name": one.get_by_path(["name", 0, "family"]),
        "observations": len(await observations.limit(1).fetch_all()),
        "count": await observations.count(),
        "weights": [str(weight["valueQuantity"]["value"]) for weight in await weights.fetch()],
        "conditions": [
            found["code"]["text"] async for found in fhir.resources("Condition").search(patient=patient)
        ],
        "everything": everything["total"],
    }


def main(base: str, token: str, patient: str) -> None:
    print(json.dumps(with_fhirclient(base, token, patient), sort_keys=True))
    print(json.dumps(asyncio.run(with_fhirpy(base, token, patient)), sort_keys=True))


main(*sys.argv[1:])
