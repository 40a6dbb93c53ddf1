#!/usr/bin/env node
// Runs the gemwire binary for this platform. npm installs the binary as an optional dependency,
// such as @gemwire/linux-x64. Arguments, streams, signals and the exit code pass through.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "gemwire.exe" : "gemwire";

let binary;
try {
  binary = require.resolve(`@gemwire/${platform}/bin/${file}`);
} catch {
  console.error(
    `gemwire: the package @gemwire/${platform} is not installed. If the platform is one of ` +
      "linux, darwin and win32 with x64 or arm64, install gemwire without --omit=optional.",
  );
  process.exit(1);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });

// A terminal sends an interrupt to the child too, so the launcher only forwards interrupts
// that come from another process.
const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
process.on("SIGINT", () => {
  if (!terminal) child.kill("SIGINT");
});
for (const signal of ["SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`gemwire: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(signal ? 128 + constants.signals[signal] : code);
});
