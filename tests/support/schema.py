"""Checks JSON against the keywords of JSON Schema 2020-12 that the native schema uses; others raise."""

import re
from typing import Any, Final

TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
ANNOTATIONS: Final = {"$schema", "$defs", "title", "description", "default", "discriminator"}


class Schema:
    """A schema whose references are all in its own `$defs`. Fields that it does not name are faults."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._defs = schema["$defs"]

    def fault(self, value: Any, name: str) -> str | None:
        """Return why this value does not match the definition, or None."""
        return self._fault(value, {"$ref": f"#/$defs/{name}"}, name)

    def _fault(self, value: Any, schema: dict[str, Any], path: str) -> str | None:
        for word, rule in schema.items():
            if (
                word not in ANNOTATIONS
                and (found := self._broken(value, word, rule, schema, path)) is not None
            ):
                return found
        return None

    def _broken(self, value: Any, word: str, rule: Any, schema: dict[str, Any], path: str) -> str | None:
        good = True
        match word:
            case "$ref":
                return self._fault(value, self._defs[rule.removeprefix("#/$defs/")], path)
            case "anyOf":
                faults = [self._fault(value, one, path) for one in rule]
                # The fault with the longest path is in the alternative that matches best.
                return None if None in faults else max((f for f in faults if f), key=lambda f: f.count("."))
            case "type":
                good = isinstance(value, TYPES[rule]) and (rule == "boolean" or not isinstance(value, bool))
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
                raise AssertionError(f"{word} is not a supported keyword")
        return None if good else f"{path}: {value!r} against {word} {rule!r}"

    def _fields(self, value: dict[str, Any], known: dict[str, Any], path: str) -> str | None:
        if unknown := value.keys() - known.keys():
            return f"{path}: unknown fields {sorted(unknown)}"
        faults = (
            self._fault(value[field], rule, f"{path}.{field}")
            for field, rule in known.items()
            if field in value
        )
        return next(filter(None, faults), None)
