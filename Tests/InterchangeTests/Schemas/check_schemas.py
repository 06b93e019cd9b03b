"""Validates JSON documents against schemas with the Python package jsonschema.

Each input line is a JSON array [name, schema, document], and each output line is true or false. The schema of a name is
read once. The first output line is "ready", or "absent" if the package is not installed.
"""

import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("absent", flush=True)
    sys.exit(0)

print("ready", flush=True)
validators = {}
for line in sys.stdin:
    name, schema, document = json.loads(line)
    if name not in validators:
        Draft202012Validator.check_schema(schema)
        validators[name] = Draft202012Validator(schema)
    print("true" if validators[name].is_valid(document) else "false", flush=True)
