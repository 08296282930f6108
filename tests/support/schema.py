"""Checks JSON against the part of JSON Schema 2020-12 that ours is written in, and lets nothing else pass."""

import re
from typing import Any, Final

KINDS: Final[dict[str, type | tuple[type, ...]]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
REMARKS: Final = {"$schema", "$defs", "title", "description", "default", "discriminator"}


class Schema:
    """A schema whose references are all in its own `$defs`. Fields that it does not name are faults."""

    def __init__(self, whole: dict[str, Any]) -> None:
        self._defs = whole["$defs"]

    def fault(self, value: Any, name: str) -> str | None:
        """Return what keeps this value from being one of these, or None."""
        return self._fault(value, {"$ref": f"#/$defs/{name}"}, name)

    def _fault(self, value: Any, schema: dict[str, Any], path: str) -> str | None:
        for word, rule in schema.items():
            if word not in REMARKS and (found := self._broken(value, word, rule, schema, path)) is not None:
                return found
        return None

    def _broken(self, value: Any, word: str, rule: Any, schema: dict[str, Any], path: str) -> str | None:
        good = True
        match word:
            case "$ref":
                return self._fault(value, self._defs[rule.removeprefix("#/$defs/")], path)
            case "anyOf":
                faults = [self._fault(value, one, path) for one in rule]
                # The longest path is that of the one that was meant.
                return None if None in faults else max((f for f in faults if f), key=lambda f: f.count("."))
            case "type":
                good = isinstance(value, KINDS[rule]) and (rule == "boolean" or not isinstance(value, bool))
            case "enum":
                good = value in rule
            case "minimum":
                good = value >= rule
            case "maximum":
                good = value <= rule
            case "minLength" | "minItems":
                good = len(value) >= rule
            case "maxLength" | "maxItems":
                good = len(value) <= rule
            case "pattern":
                good = re.search(rule, value) is not None
            case "required":
                good = set(rule) <= value.keys()
            case "properties":
                return self._fields(value, rule, path)
            case "additionalProperties":
                good = rule is False
            case "prefixItems":
                pairs = zip(value, rule, strict=True)
                faults = [self._fault(item, one, f"{path}.{at}") for at, (item, one) in enumerate(pairs)]
                return next(filter(None, faults), None)
            case "items":
                given = value[len(schema.get("prefixItems", ())) :]
                if rule is False:
                    good = not given
                else:
                    faults = [self._fault(item, rule, f"{path}.{at}") for at, item in enumerate(given)]
                    return next(filter(None, faults), None)
            case _:
                raise AssertionError(f"{word} is no part of the schema language that is checked here")
        return None if good else f"{path}: {value!r} against {word} {rule!r}"

    def _fields(self, value: dict[str, Any], known: dict[str, Any], path: str) -> str | None:
        if unknown := value.keys() - known.keys():
            return f"{path}: nothing is said about {sorted(unknown)}"
        faults = (
            self._fault(value[field], rule, f"{path}.{field}")
            for field, rule in known.items()
            if field in value
        )
        return next(filter(None, faults), None)
