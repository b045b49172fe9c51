"""Answers with a body that may be cached: entity tags, and the zipped form where it is accepted."""

from __future__ import annotations

import re

from fastapi import Request, Response

from web.assets import Asset


def cached(request: Request, asset: Asset, cache_control: str) -> Response:
    """The answer for `asset`, or 304 where the browser has it already.

    Source: RFC 9110 sections 8.8 and 13.1.
    """
    zip_it = asset.zipped is not None and _accepts_gzip(request.headers.get("accept-encoding", ""))
    etag = f'{asset.etag[:-1]}-gz"' if zip_it else asset.etag
    headers = {"cache-control": cache_control, "etag": etag, "vary": "Accept-Encoding"}
    if _matches(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    if zip_it:
        headers["content-encoding"] = "gzip"
    return Response(asset.zipped if zip_it else asset.body, headers=headers, media_type=asset.media_type)


def _accepts_gzip(header: str) -> bool:
    """Whether an `Accept-Encoding` header names gzip without forbidding it."""
    found = re.search(r"(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)", header.lower())
    return found is not None and float(found[1] or 1) > 0


def _matches(header: str, etag: str) -> bool:
    tags = (tag.strip().removeprefix("W/") for tag in header.split(","))
    return any(tag in ("*", etag) for tag in tags)
