"""Hooks for schemathesis: names what is there, so that calls get past admission and reach something."""

import json
import os

import schemathesis

KNOWN = json.loads(os.environ["LILAC_FUZZ_IDS"])


def with_known(values, declared=()):
    """Ids of ours in the place of most that were made up or left out; what is no text stays as it is."""
    if not isinstance(values, dict):
        return values
    named = {name: KNOWN[name] if is_to_know(name, value) else value for name, value in values.items()}
    # Of every few bodies one goes without, by what it is and not by chance: the same seed does the same again.
    if len(json.dumps(values)) % 5 != 4:
        named.update({name: KNOWN[name] for name in declared if name in KNOWN and name not in values})
    return named


def is_to_know(name, value):
    if name not in KNOWN or not isinstance(value, str):
        return False
    return is_organisation(name) or len(value) % 4 != 3


def is_organisation(name):
    return "rganisation" in name or name == "orgId"


def declared_in(operation):
    """The fields that a body may have at its top."""
    content = operation.definition.raw.get("requestBody", {}).get("content", {})
    return [name for each in content.values() for name in each.get("schema", {}).get("properties", {})]


@schemathesis.hook
def map_body(context, body):
    return with_known(body, declared_in(context.operation))


@schemathesis.hook
def map_query(context, query):
    return with_known(query)


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    return with_known(path_parameters)
