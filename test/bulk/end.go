package main

import (
	"errors"
	"os/exec"
	"strings"
)

// endOf waits until a command has ended by itself. Lines that failed make its exit code 1, and no
// failure here.
func endOf(p *process) error {
	err := p.wait(endLimit)
	if code, ok := errors.AsType[*exec.ExitError](err); ok && code.ExitCode() == 1 &&
		strings.Contains(p.output.String(), "failed") {
		return nil
	}
	return err
}

// lastLine is the last that a command has said.
func lastLine(p *process) string {
	text := strings.TrimSpace(p.output.String())
	return strings.TrimSpace(text[strings.LastIndexAny(text, "\n\r")+1:])
}
