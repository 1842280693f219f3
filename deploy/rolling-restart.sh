#!/bin/sh
# Starts the processes of this machine anew, one after the other, each when the one before is ready: rolling-restart.sh 3001 3002
set -eu
[ $# -gt 0 ] || { echo "rolling-restart.sh PORT…" >&2; exit 2; }
for port in "$@"; do
  systemctl restart "balcao@$port"
  waited=0
  down=0
  until curl -fsS --max-time 5 -o /dev/null "http://127.0.0.1:$port/ready" 2>/dev/null; do
    # A new version may bring a large database up for a long time; what ends again and again does not.
    systemctl is-active --quiet "balcao@$port" || down=$((down + 1))
    # The other ones go on: better one old process than none.
    [ "$down" -lt 30 ] || { echo "balcao@$port did not get ready; the others were left as they are" >&2; exit 1; }
    waited=$((waited + 1))
    [ $((waited % 60)) -ne 0 ] || echo "balcao@$port runs and is not ready yet (journalctl -u balcao@$port says why); Ctrl+C leaves the others as they are" >&2
    sleep 1
  done
  echo "balcao@$port is ready"
done
