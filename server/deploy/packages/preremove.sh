#!/bin/sh
# Runs before the package is removed or upgraded. Debian passes "remove" or "upgrade"; rpm passes the
# number of packages that remain, which is 0 for a removal.
set -e
case "${1:-}" in
  remove | 0)
    if [ -d /run/systemd/system ]; then
      systemctl disable --now gemwire.service
    fi
    ;;
esac
