"""A device with passkeys, in software: makes keys and signs challenges as browsers send them."""

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, HAS_KEY = 0x01, 0x40


def text(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


class Authenticator:
    """One key for one site. `count` is the counter of signatures; 0 for a device that does not count."""

    def __init__(self, origin: str = "https://qipai.example", site: str = "qipai.example") -> None:
        self.origin = origin
        self.site = site
        self.count = 1
        self.id = b"credential of a test"
        self.user = ""
        self._key = ec.generate_private_key(ec.SECP256R1())

    def make(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Answer what a browser was asked for a new passkey."""
        self.user = options["user"]["id"]
        numbers = self._key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        attested = bytes(16) + len(self.id).to_bytes(2) + self.id + cbor2.dumps(key)
        data = self._data(PRESENT | HAS_KEY) + attested
        made = {"fmt": "none", "attStmt": {}, "authData": data}
        return self._answer(
            clientDataJSON=self._client("webauthn.create", options["challenge"]),
            attestationObject=cbor2.dumps(made),
        )

    def sign(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a challenge, and count."""
        self.count += bool(self.count)
        client, data = self._client("webauthn.get", options["challenge"]), self._data(PRESENT)
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        answer = self._answer(clientDataJSON=client, authenticatorData=data, signature=signature)
        answer["response"]["userHandle"] = self.user
        return answer

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.site.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def _client(self, kind: str, challenge: str) -> bytes:
        urlsafe_b64decode(challenge + "==")
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _answer(self, **response: bytes) -> dict[str, Any]:
        parts: dict[str, Any] = {name: text(content) for name, content in response.items()}
        return {"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": parts}
