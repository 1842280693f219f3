#!/bin/sh
# Starts the processes of this machine anew, one after the other, each when the one before is ready: rolling-restart.sh 3001 3002
set -eu
[ $# -gt 0 ] || { echo "rolling-restart.sh PORT…" >&2; exit 2; }
for port in "$@"; do
  systemctl restart "balcao@$port"
  tries=0
  until curl -fsS -o /dev/null "http://127.0.0.1:$port/ready" 2>/dev/null; do
    tries=$((tries + 1))
    # The other ones go on: better one old process than none.
    [ "$tries" -lt 120 ] || { echo "balcao@$port did not get ready; the others were left as they are" >&2; exit 1; }
    sleep 1
  done
  echo "balcao@$port is ready"
done
