#!/bin/sh
# Runs after the package was removed or upgraded.
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
