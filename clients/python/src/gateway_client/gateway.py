"""The gateway's control API, as far as a trainer needs it."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Literal


class GatewayError(Exception):
    """The gateway refused a request, or could not be reached (`status` is then None)."""

    def __init__(self, message: str, status: int | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class Gateway:
    """A gateway at `base_url`, such as `http://127.0.0.1:8000`; `api_key` is one of its `auth.api_keys`."""

    def __init__(self, base_url: str, api_key: str | None = None) -> None:
        self.base_url = base_url.rstrip("/")
        self.api_key = api_key

    def pause(
        self, route: str, mode: Literal["drain", "hold", "refuse"] = "drain", timeout_s: float = 60
    ) -> None:
        """Keeps new requests of a route waiting. `drain` returns once none is in flight.

        Raises GatewayError with the code `route_not_paused` if that takes longer than `timeout_s` seconds; the route
        stays paused.
        """
        body = {"mode": mode, "timeout_s": timeout_s}
        self._post(route, "pause", body, wait_s=timeout_s + 30)

    def resume(self, route: str, weight_version: str | None = None) -> None:
        """Lets requests go on, from now on with these weights."""
        body = {} if weight_version is None else {"weight_version": weight_version}
        self._post(route, "resume", body, wait_s=60)

    def _post(self, route: str, action: str, body: dict[str, Any], wait_s: float) -> None:
        name = urllib.parse.quote(route, safe="")
        headers = {"content-type": "application/json"}
        if self.api_key is not None:
            headers["authorization"] = f"Bearer {self.api_key}"
        url = f"{self.base_url}/v1/routes/{name}/{action}"
        request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=wait_s) as answer:
                answer.read()
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except OSError as error:
            raise GatewayError(f"{self.base_url} cannot be reached: {error}") from error


def _refusal(error: urllib.error.HTTPError) -> GatewayError:
    text = error.read().decode(errors="replace")
    try:
        told = json.loads(text)["error"]
        return GatewayError(str(told["message"]), error.code, told.get("code"))
    except (ValueError, KeyError, TypeError, AttributeError):
        return GatewayError(text or error.reason, error.code)
