"""Pages, REST and WebSocket: events become views, requests become commands."""
