"""The HTTP routes, a file a subject; each has a `router` or makes one."""
