"""Checks a Bundle of FHIR R4, or a zip archive of NDJSON files, with the package fhir.resources: check_fhir.py FILE [SCHEMA]

SCHEMA: HL7's JSON schema of R4, which finds wrong codes; fhir.resources finds what is missing. The references of the
resources to each other are checked as well. Prints how many resources there are of each type; exits with 1 if one is
wrong.
"""

import collections
import gzip
import json
import sys
import zipfile

from fhir.resources.R4B import get_fhir_model_class

faults = []
if zipfile.is_zipfile(sys.argv[1]):
    archive = zipfile.ZipFile(sys.argv[1])
    files = json.loads(archive.read("manifest.json"))["output"]
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": []}
    for file in files:
        lines = archive.read(file["url"]).decode().splitlines()
        found = [json.loads(line) for line in lines]
        if len(found) != file["count"] or any(resource["resourceType"] != file["type"] for resource in found):
            faults.append(f"{file['url']} is not as the manifest says")
        bundle["entry"] += [{"fullUrl": f"{resource['resourceType']}/{resource['id']}", "resource": resource} for resource in found]
    if sorted(archive.namelist()) != sorted([file["url"] for file in files] + ["manifest.json"]):
        faults.append("the manifest does not list the files")
else:
    bundle = json.load(open(sys.argv[1], encoding="utf-8"))
validators = {}
if len(sys.argv) > 2:
    import jsonschema

    schema = json.load(gzip.open(sys.argv[2]))

    def check(resource):
        name = resource["resourceType"]
        if name not in validators:
            validators[name] = jsonschema.Draft6Validator({"$ref": f"#/definitions/{name}", "definitions": schema["definitions"]})
        return [f"{'/'.join(map(str, fault.path))}: {fault.message[:100]}" for fault in validators[name].iter_errors(resource)]
else:

    def check(resource):
        return []


def references(value):
    """The references to other resources in a value."""
    if isinstance(value, dict):
        if isinstance(value.get("reference"), str):
            yield value["reference"]
        for member in value.values():
            yield from references(member)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


entries = bundle.get("entry", [])
resources = [entry["resource"] for entry in entries if "resource" in entry]

# What the International Patient Summary (HL7/fhir-ips 2.0.1) demands of each resource, besides what R4 does.
SUMMARY_SECTIONS = {"11450-4": "Condition", "48765-2": "AllergyIntolerance", "10160-0": "MedicationStatement"}
SUMMARY_ELEMENTS = {
    "Composition": ["status", "type", "subject", "date", "author", "title", "section"],
    "Patient": ["name", "birthDate"],
    "Condition": ["clinicalStatus", "code", "subject"],
    "AllergyIntolerance": ["clinicalStatus", "code", "patient"],
    "MedicationStatement": ["status", "medicationCodeableConcept", "subject", "effective"],
    "Immunization": ["status", "vaccineCode", "patient", "occurrence"],
    "Procedure": ["status", "code", "subject", "performed"],
    "Flag": ["status", "code", "subject"],
    "Observation": ["status", "category", "code", "subject", "effective"],
}


def summary_faults():
    """What a document lacks of an International Patient Summary."""
    composition = resources[0]
    if composition["resourceType"] != "Composition" or resources[1]["resourceType"] != "Patient":
        yield "the document does not begin with its Composition and the Patient"
    if not bundle.get("identifier", {}).get("system") or not bundle.get("timestamp"):
        yield "the document has no identifier or no time"
    if composition["type"]["coding"][0]["code"] != "60591-5":
        yield "the Composition is no summary"
    by_url = {entry["fullUrl"]: entry["resource"] for entry in entries}
    codes = [section["code"]["coding"][0]["code"] for section in composition["section"]]
    if not set(SUMMARY_SECTIONS) <= set(codes) or len(set(codes)) != len(codes):
        yield f"the sections are {codes}"
    used = {composition["subject"]["reference"]} | {author["reference"] for author in composition["author"]}
    for code, section in zip(codes, composition["section"]):
        if not section.get("title") or not section.get("text", {}).get("div") or "section" in section:
            yield f"section {code} has no title, no text, or sections within it"
        if ("entry" in section) == ("emptyReason" in section):
            yield f"section {code} has entries and a reason for none, or neither"
        if "emptyReason" in section and section["emptyReason"]["coding"][0]["code"] not in ("unavailable", "withheld"):
            yield f"section {code} asserts what nobody said"
        for reference in section.get("entry", []):
            used.add(reference["reference"])
            if SUMMARY_SECTIONS.get(code) not in (None, by_url[reference["reference"]]["resourceType"]):
                yield f"section {code} has another resource"
    for url, resource in by_url.items():
        for element in SUMMARY_ELEMENTS.get(resource["resourceType"], []):
            # An element may have one of several types, or only the reason why it is absent.
            if not any(name.lstrip("_").startswith(element) for name in resource):
                yield f"{resource['resourceType']} lacks {element}"
        categories = [c["code"] for concept in resource.get("category", []) for c in concept.get("coding", [])]
        if "laboratory" in categories and not resource.get("performer"):
            yield "a result has no performer"
        if url not in used and resource is not composition and not any(url in json.dumps(other) for other in resources if other is not resource):
            yield f"nothing refers to {resource['resourceType']}"

urls = [entry["fullUrl"] for entry in entries]
if bundle["type"] == "history":
    times = [entry["response"]["lastModified"] for entry in entries]
    if times != sorted(times, reverse=True):
        faults.append("the newest version is not the first")
    versions = [(entry["request"]["url"], json.loads(entry["response"]["etag"].removeprefix("W/"))) for entry in entries]
    if len(set(versions)) != len(versions):
        faults.append("a version occurs twice")
    # References to one version.
    urls += [f"{url}/_history/{version}" for url, version in versions]
elif len(set(urls)) != len(urls):
    faults.append("a fullUrl occurs twice")
for index, resource in enumerate(resources):
    place = f"entry[{index}] {resource['resourceType']}"
    try:
        get_fhir_model_class(resource["resourceType"]).model_validate(resource)
    except ValueError as fault:
        faults.append(f"{place}: {fault}")
    faults += [f"{place}: {fault}" for fault in check(resource)]
    faults += [f"{place}: {url} is in no entry" for url in references(resource) if url not in urls]
if not zipfile.is_zipfile(sys.argv[1]):
    get_fhir_model_class("Bundle").model_validate(bundle)
if bundle["type"] == "document":
    faults += summary_faults()
for fault in faults:
    print(fault, file=sys.stderr)
json.dump(dict(sorted(collections.Counter(resource["resourceType"] for resource in resources).items())), sys.stdout)
sys.exit(1 if faults else 0)
