"""The message catalogues, for the page."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel

from web.assets import asset
from web.problems import ProblemError
from web.replies import cached
from web.services import Services, services

router = APIRouter(prefix="/api/catalog", tags=["texts"])

Shared = Annotated[Services, Depends(services)]


class LanguagesBody(BaseModel):
    """Tags and own names of all languages, and the one that suits the asking browser."""

    languages: dict[str, str]
    suited: str


class CatalogueBody(BaseModel):
    """All texts of a language; see `web.texts.Catalogue`."""

    lang: str
    name: str
    plural_forms: list[int]
    messages: dict[str, str | list[str]]


@router.get("")
async def languages(request: Request, shared: Shared) -> LanguagesBody:
    """The languages there are."""
    suited = shared.catalogues.negotiate(request.headers.get("accept-language"))
    return LanguagesBody(languages=shared.catalogues.languages, suited=suited.tag)


@router.get("/{lang}", response_model=CatalogueBody)
async def catalogue(lang: str, request: Request, shared: Shared) -> Any:
    """The texts of one language."""
    found = shared.catalogues.get(lang)
    if found is None:
        known = ", ".join(shared.catalogues.languages)
        raise ProblemError(404, "not_found", f"lang: must be one of {known}")
    body = json.dumps(found.to_json(), ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return cached(request, asset(f"{lang}.json", body), "no-cache")
