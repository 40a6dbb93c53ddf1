#!/bin/sh
# Runs after the package was installed or upgraded. The service is not started: it needs a key first.
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # After an upgrade, a service that runs continues with the new command.
  systemctl try-restart gemwire.service
fi
