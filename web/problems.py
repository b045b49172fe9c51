"""Errors as problem documents, with a title in the reader's language.

Source: RFC 9457.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.types import Scope

from controller.core.messages import to_json
from engines.base import Reason
from web.texts import Catalogues

_log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"

_CODES = {
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "not_json",
    422: "invalid",
    503: "unavailable",
}


class ProblemError(Exception):
    """A request that cannot be answered: `code` is a `problem.*` key of the catalogues.

    `detail` is one line for whoever wrote the request; `reason` is what the players are told.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str | None = None,
        reason: Reason | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {detail or reason or ''}")
        self.status = status
        self.code = code
        self.detail = detail
        self.reason = reason
        self.headers = headers or {}


def header(scope: Scope, name: bytes) -> str | None:
    """The value of a header, or None if it is missing or comes more than once."""
    values = [value for key, value in scope["headers"] if key == name]
    return str(values[0], "latin-1") if len(values) == 1 else None


def problem_response(scope: Scope, problem: ProblemError, catalogues: Catalogues) -> Response:
    """The problem document for the request of `scope`, in the language it asks for."""
    catalogue = catalogues.negotiate(header(scope, b"accept-language"))
    body: dict[str, Any] = {
        "type": f"urn:tablier:problem:{problem.code}",
        "title": catalogue.text(f"problem.{problem.code}"),
        "status": problem.status,
    }
    if problem.reason is not None:
        body["detail"] = catalogue.text(f"reason.{problem.reason.code}", problem.reason.params)
        body["reason"] = to_json(problem.reason)
    if problem.detail is not None:
        body["detail"] = problem.detail
    headers = {"content-language": catalogue.tag, "vary": "Accept-Language", "cache-control": "no-store"}
    return JSONResponse(body, problem.status, headers | problem.headers, media_type=MEDIA_TYPE)


def install(app: FastAPI, catalogues: Catalogues) -> None:
    """Make every error that leaves `app` a problem document."""

    async def known(request: Request, error: Exception) -> Response:
        assert isinstance(error, ProblemError)  # noqa: S101 - registered for it
        return problem_response(request.scope, error, catalogues)

    async def of_the_framework(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
        code = _CODES.get(error.status_code, "other")
        phrase = HTTPStatus(error.status_code).phrase
        detail = None if error.detail == phrase else str(error.detail)
        problem = ProblemError(error.status_code, code, detail, headers=dict(error.headers or {}))
        return problem_response(request.scope, problem, catalogues)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        problem = ProblemError(422, "invalid", f"{where}: {first['msg']}")
        return problem_response(request.scope, problem, catalogues)

    async def unexpected(request: Request, error: Exception) -> Response:
        _log.error("request failed: %s", request.url.path, exc_info=error)
        return problem_response(request.scope, ProblemError(500, "internal"), catalogues)

    app.add_exception_handler(ProblemError, known)
    app.add_exception_handler(HTTPException, of_the_framework)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, unexpected)
