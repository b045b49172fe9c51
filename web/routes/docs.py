"""A page for people that lists what `/openapi.json` describes; plain HTML, nothing from elsewhere."""

from __future__ import annotations

import json
from html import escape
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response

from web.assets import asset
from web.replies import cached
from web.services import Services, services

router = APIRouter(include_in_schema=False)


@router.get("/docs")
async def docs(request: Request, shared: Annotated[Services, Depends(services)]) -> Response:
    """The interface of this program, readable."""
    page = render(request.app.openapi(), f"/static/{shared.assets.build}/docs.css")
    return cached(request, asset("docs.html", page.encode("utf-8")), "no-cache")


def render(document: dict[str, Any], stylesheet: str) -> str:
    """The HTML page for an OpenAPI document."""
    title = f"{document['info']['title']} {document['info']['version']}"
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<title>{escape(title)}</title><link rel="stylesheet" href="{escape(stylesheet)}">',
        "</head><body><main>",
        f"<h1>{escape(title)}</h1><p>{escape(document['info'].get('description', ''))}</p>",
        '<p><a href="/openapi.json">/openapi.json</a> · <a href="/">the board</a></p>',
    ]
    for path, methods in document["paths"].items():
        parts += [_operation(path, method, operation) for method, operation in methods.items()]
    parts.append("<h2>Shapes</h2>")
    for name, schema in document.get("components", {}).get("schemas", {}).items():
        parts.append(f"<h3>{escape(name)}</h3>{_text(schema.get('description'))}{_code(schema)}")
    parts.append("</main></body></html>")
    return "".join(parts)


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    parts = [
        f"<section><h2><code>{escape(method.upper())} {escape(path)}</code></h2>",
        _text(operation.get("description") or operation.get("summary")),
    ]
    body = operation.get("requestBody", {}).get("content", {})
    for media_type, content in body.items():
        parts.append(f"<h3>Body, {escape(media_type)}</h3>{_variants(content.get('schema', {}))}")
    parts.append("<h3>Answers</h3><ul>")
    for status, answer in operation["responses"].items():
        parts.append(f"<li><code>{escape(status)}</code> {escape(answer.get('description', ''))}</li>")
    parts.append("</ul></section>")
    return "".join(parts)


def _variants(schema: dict[str, Any]) -> str:
    rows = []
    for variant in schema.get("oneOf", [schema]):
        names = [name for name in variant.get("properties", {}) if name not in ("command", "id")]
        shown = f"<code>{escape(variant.get('title', ''))}</code>({escape(', '.join(names))})"
        rows.append(f"<li>{shown}: {escape(variant.get('description', ''))}</li>")
    return f"<ul>{''.join(rows)}</ul>"


def _text(text: str | None) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def _code(schema: dict[str, Any]) -> str:
    shown = {key: value for key, value in schema.items() if key not in ("title", "description")}
    return f'<pre tabindex="0">{escape(json.dumps(shown, indent=1, ensure_ascii=False))}</pre>'
