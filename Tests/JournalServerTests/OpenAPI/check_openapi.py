"""Validates an OpenAPI document from standard input, and each example of a request body against the body's schema."""

import json
import sys

from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

document = json.load(sys.stdin)
faults = [f"{list(error.absolute_path)}: {error.message}" for error in OpenAPIV31SpecValidator(document).iter_errors()]

registry = Registry().with_resource("urn:document", Resource.from_contents(document, DRAFT202012))
for name, schema in document["components"]["schemas"].items():
    Draft202012Validator.check_schema(schema)

examples = 0
for path, methods in document["paths"].items():
    for method, operation in methods.items():
        for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
            validator = Draft202012Validator(
                {"$ref": "urn:document" + content["schema"]["$ref"]}, registry=registry
            )
            for name, example in content.get("examples", {}).items():
                examples += 1
                faults += [f"{method} {path} {name}: {error.message}" for error in validator.iter_errors(example["value"])]

for fault in faults:
    print(fault)
print(f"{len(document['paths'])} paths, {examples} examples, {len(faults)} faults")
