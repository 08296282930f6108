"""Texts that the server signs and does not store. They are read with every key that is accepted."""

import hashlib
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from itsdangerous import BadData, TimestampSigner, URLSafeSerializer, URLSafeTimedSerializer

from .signing_keys import SigningKeys

_OPTIONS: Final[dict[str, Any]] = {"digest_method": hashlib.sha256}


class SignedText(NamedTuple):
    """What a text says; how many seconds ago it was signed, and whether with the key that signs now."""

    value: Any
    age: int
    by_present_key: bool


class SignedTexts:
    """Signs texts of one kind. `salt` names the kind: none is taken for another."""

    def __init__(self, keys: SigningKeys, salt: str) -> None:
        self._keys = keys
        self._salt = salt
        self._serializers: dict[bytes, URLSafeSerializer] = {}

    def sign(self, value: object) -> str:
        """Return a signed text without a date."""
        signed = self._serializer(self._keys.signing()).dumps(value)
        return signed if isinstance(signed, str) else signed.decode()

    def read(self, text: str) -> Any:
        """Return what a text says; None if it is not valid."""
        if text.isascii():
            for key in self._keys.accepted():
                try:
                    return self._serializer(key).loads(text)
                except BadData:
                    continue
        return None

    def _serializer(self, key: bytes) -> URLSafeSerializer:
        if key not in self._serializers:
            self._serializers[key] = URLSafeSerializer(key, salt=self._salt, signer_kwargs=_OPTIONS)
        return self._serializers[key]


class DatedTexts:
    """Signs texts of one kind with the time."""

    def __init__(self, keys: SigningKeys, salt: str) -> None:
        self._keys = keys
        self._salt = salt
        self._serializers: dict[bytes, URLSafeTimedSerializer] = {}

    def sign(self, value: object) -> str:
        """Return a signed text with the present time."""
        signed = self._serializer(self._keys.signing()).dumps(value)
        return signed if isinstance(signed, str) else signed.decode()

    def read(self, text: str, seconds: int) -> SignedText | None:
        """Return what a text says; None if it is not valid, or was signed more seconds ago."""
        if not text.isascii():
            return None
        for number, key in enumerate(self._keys.accepted()):
            try:
                value, signed_at = self._serializer(key).loads(text, return_timestamp=True)
            except BadData:
                continue
            # The clock of the worker that signed it may be ahead: the library would refuse that.
            age = max(0, self._keys.now() // 1000 - int(signed_at.timestamp()))
            return SignedText(value, age, by_present_key=number == 0) if age <= seconds else None
        return None

    def _serializer(self, key: bytes) -> URLSafeTimedSerializer:
        if key not in self._serializers:
            self._serializers[key] = URLSafeTimedSerializer(
                key, salt=self._salt, signer=ClockSigner, signer_kwargs={**_OPTIONS, "now": self._keys.now}
            )
        return self._serializers[key]


class ClockSigner(TimestampSigner):
    """A timestamp signer with a given clock."""

    def __init__(self, *args: Any, now: Callable[[], int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._now = now

    def get_timestamp(self) -> int:
        """Return the time in seconds."""
        return self._now() // 1000
