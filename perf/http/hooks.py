"""Makes generated requests meet the relations between parameters that an OpenAPI description does not express."""
import datetime, json, re
import schemathesis

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}

def time(text):
    """Returns a time as the station reads it, or None if its day does not exist."""
    ago = re.fullmatch(r"-?(\d+)([smhd])", text)
    try:
        if ago:
            return datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=int(ago[1]) * UNITS[ago[2]])
        parts = re.fullmatch(r"(.{10})(T.{5}(?::..)?)?(?:\.\d+)?(Z|[+-].{5})?", text)
        return parts and datetime.datetime.fromisoformat(parts[1] + (parts[2] or "T00:00") + (parts[3] or "Z").replace("Z", "+00:00"))
    except (ValueError, OverflowError):
        return None

@schemathesis.hook
def before_call(context, case, kwargs):
    """Also of the examples in the description, which are combined."""
    query = dict(case.query or {})
    query.pop("cursor", None)  # comes from an answer
    if not query.get("prefix"):
        query.pop("match", None)
    if case.operation.path == "/api/v1/lookup":  # one of the two
        query.pop("prefix" if query.get("address") else "address", None)
        if not query.get("prefix"): query.setdefault("address", "192.0.2.1")
        if query.get("at"): query.pop("aspa", None)  # of present routes
    if case.operation.path == "/api/v1/reconcile":  # routes are compared as they are now
        for name in ("at", "fields", "limit") if query.get("with") in ("database", "twin") else ("routes",):
            query.pop(name, None)
        if query.get("with") in ("database", "twin") and query.get("state") == "unknown":  # a state of routers' counts
            query.pop("state")
    for name in ("at", "ts", "from", "to"):
        if query.get(name) and time(str(query[name])) is None:
            query[name] = "2026-11-21"
    if query.get("from") and case.operation.path == "/api/v1/rib/diff":
        begin, end = query["from"], query.get("to") or "0s"
        if time(str(begin)) > time(str(end)):
            query["from"], query["to"] = end, begin
    case.query = query

@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return {"data": value if isinstance(value, (str, bytes)) else json.dumps(value)}
