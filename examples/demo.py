#!/usr/bin/env python3
"""The demo: starts standalone on the examples, asks as two tenants, shows what each sees.

Leaves the server running; with ONCE=1 it ends after the queries, with exit code 0 if every answer was the expected one.
`demo.py status` says how each source and dataset stands, `demo.py stop` ends the server. Needs nothing but Python's own
library.
"""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
STATE = ROOT / ".demo"
PROGRAM = ROOT / "target" / "debug" / "analytics-catalog"
ONCE = os.environ.get("ONCE") == "1"
# The first start fetches the packaged ClickHouse, 178 MB.
PATIENCE_SECONDS = 600


def say(text=""):
    print(text, flush=True)


def stop_earlier():
    """Ends the demo that runs already, if its process still is one of ours."""
    pid_file = STATE / "pid"
    if not pid_file.exists():
        return
    pid = int(pid_file.read_text())
    try:
        command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        command = b""
    if b"analytics-catalog" in command:
        os.kill(pid, signal.SIGTERM)
        for _ in range(100):
            time.sleep(0.1)
            if not pathlib.Path(f"/proc/{pid}").exists():
                break
    pid_file.unlink()


def status():
    """What the operator says of each object of the state folder: the same status that a cluster has in its objects."""
    files = sorted((STATE / "state" / "objects").glob("*.json"))
    if not files:
        sys.exit("There is no state yet; `make demo` makes it.")
    for file in files:
        kept = json.loads(file.read_text())
        told, metadata = kept["object"].get("status") or {}, kept["object"]["metadata"]
        say(f"{kept['object']['kind']} {metadata['name']}   {told.get('id', '')}   from {kept['path']}")
        # `Stalled` and `Reconciling` repeat what `Ready` says.
        for condition in [one for one in told.get("conditions", []) if one["type"] in ("Ready", "Published")]:
            lines = condition["message"].splitlines() or [""]
            say(f"  {condition['type']}={condition['status']}  {condition['reason']}: {lines[0]}")
            for line in lines[1:]:
                say(f"    {line}")
        for warning in told.get("warnings", []):
            say(f"  warning: {warning}")


def free_address():
    """Port 8080 where it is free, so that the commands below can be repeated; any other port else."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", 8080))
            return "127.0.0.1:8080"
        except OSError:
            return "127.0.0.1:0"


def start():
    STATE.mkdir(exist_ok=True)
    stop_earlier()
    address_file = STATE / "address"
    address_file.unlink(missing_ok=True)
    log = open(STATE / "log", "wb")
    environment = dict(os.environ, ANALYTICS_CATALOG__SERVE__LISTEN=free_address())
    process = subprocess.Popen(
        [
            str(PROGRAM), "standalone", str(ROOT / "examples" / "catalog"),
            "--config", str(ROOT / "examples" / "standalone.yaml"),
            "--state", str(STATE / "state"),
            "--setup-sql", str(ROOT / "examples" / "sample-data.sql"),
            "--address-file", str(address_file),
        ],
        stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment, start_new_session=True,
    )
    (STATE / "pid").write_text(str(process.pid))
    deadline = time.monotonic() + PATIENCE_SECONDS
    shown = 0
    while not address_file.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            say((STATE / "log").read_text(errors="replace"))
            sys.exit("The server did not start; its log stands above.")
        lines = (STATE / "log").read_text(errors="replace").splitlines()
        for line in lines[shown:]:
            say(f"  {line}")
        shown = len(lines)
        time.sleep(0.2)
    return process, f"http://{address_file.read_text().strip()}"


def ask(url, tenant, body):
    headers = {"Content-Type": "application/json"}
    if tenant:
        headers["Command-Tenant-Id"] = tenant
    request = urllib.request.Request(f"{url}/wow/dataset/shop/orders/query", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def show(title, url, tenant, body):
    say(f"\n{title}")
    say(f"  POST /wow/dataset/shop/orders/query   tenant: {tenant or '(none)'}")
    say(f"  {json.dumps(body)}")
    status, answer = ask(url, tenant, body)
    rows = answer if isinstance(answer, list) else [answer]
    say(f"  {status}")
    for row in rows:
        say(f"    {json.dumps(row, ensure_ascii=False)}")
    return status, answer


def main():
    say("Starting a ClickHouse with sample data, the operator and the query server …")
    process, url = start()
    problems = []

    def expect(what, holds):
        if not holds:
            problems.append(what)

    everything = {"filter": {"op": "MATCH_ALL"}, "sort": [{"field": "order_id", "direction": "ASC"}], "limit": 10}
    status, acme = show("What acme sees; the customer is masked:", url, "acme", everything)
    expect("acme sees its three orders", status == 200 and [row.get("order_id") for row in acme] == ["o-1", "o-3", "o-4"])
    expect("acme sees a masked name", status == 200 and [row.get("customer") for row in acme[:1]] == ["G***********"])
    status, globex = show("The same question from globex:", url, "globex", everything)
    expect("globex sees its two orders", status == 200 and [row.get("order_id") for row in globex] == ["o-1", "o-77"])
    status, count = show("How many orders of 20 and more?", url, "acme", {"op": "GTE", "field": "amount", "value": 20})
    expect("acme has two orders of 20 and more", (status, count) == (200, 2))
    filtered = {"filter": {"op": "EQ", "field": "customer", "value": "Grace Hopper"}, "limit": 10}
    status, refused = show("A protected value cannot be asked for:", url, "acme", filtered)
    expect("a filter on a protected value is refused", status == 400 and refused["bindingErrors"][0]["code"] == "PROTECTED_COMPARISON")
    status, _ = show("Without a tenant there is nothing to see:", url, None, everything)
    expect("no tenant is refused", status == 403)

    say()
    if problems:
        for problem in problems:
            say(f"not as expected: {problem}")
        say("Either examples/ was changed, and the answers above are those of the change, or this is a defect.")
        say("`make demo-status` says how each source and dataset stands; `git diff examples` shows what was changed.")
    if ONCE:
        process.terminate()
        process.wait(timeout=60)
        (STATE / "pid").unlink(missing_ok=True)
        say("The demo ended." if not problems else "The demo failed.")
        sys.exit(1 if problems else 0)
    say(f"The server stays at {url}; `make demo-stop` ends it. Its log: .demo/log")
    say("Next, change a column in examples/catalog/orders.yaml and see what became of it in the log or with `make demo-status`,")
    say("or ask something else (docs/queries.md has more):")
    say(f"  curl -s {url}/wow/dataset/shop/orders/query -H 'Command-Tenant-Id: acme' -H 'Content-Type: application/json' \\")
    say("    -d '{\"filter\": {\"op\": \"EQ\", \"field\": \"region\", \"value\": \"north\"}, \"limit\": 5}'")


if __name__ == "__main__":
    if sys.argv[1:] == ["stop"]:
        stop_earlier()
    elif sys.argv[1:] == ["status"]:
        status()
    else:
        main()
