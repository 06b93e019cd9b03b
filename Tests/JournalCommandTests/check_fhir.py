"""Checks a Bundle of FHIR R4 with the package fhir.resources: check_fhir.py BUNDLE [SCHEMA]

SCHEMA: HL7's JSON schema of R4, which finds wrong codes; fhir.resources finds what is missing. The references of the
resources to each other are checked as well. Prints how many resources there are of each type; exits with 1 if one is
wrong.
"""

import collections
import gzip
import json
import sys

from fhir.resources.R4B import get_fhir_model_class

bundle = json.load(open(sys.argv[1], encoding="utf-8"))
faults = []
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


resources = [entry["resource"] for entry in bundle.get("entry", [])]
urls = [entry["fullUrl"] for entry in bundle.get("entry", [])]
if len(set(urls)) != len(urls):
    faults.append("a fullUrl occurs twice")
for index, resource in enumerate(resources):
    place = f"entry[{index}] {resource['resourceType']}"
    try:
        get_fhir_model_class(resource["resourceType"]).model_validate(resource)
    except ValueError as fault:
        faults.append(f"{place}: {fault}")
    faults += [f"{place}: {fault}" for fault in check(resource)]
    faults += [f"{place}: {url} is in no entry" for url in references(resource) if url not in urls]
get_fhir_model_class("Bundle").model_validate(bundle)
for fault in faults:
    print(fault, file=sys.stderr)
json.dump(dict(sorted(collections.Counter(resource["resourceType"] for resource in resources).items())), sys.stdout)
sys.exit(1 if faults else 0)
