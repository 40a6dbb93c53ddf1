package cli

import (
	"context"
	"io"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/gemwire/gemwire/server/cli/process"
)

// reportWriter collects the entries of all inputs and writes them as one JSON array. Without a path
// it does nothing.
type reportWriter struct {
	entries []reportEntry
	out     io.Writer
	file    *process.OutputFile // nil when out is a standard stream
}

// reportEntry is a report entry with its input.
type reportEntry struct {
	// File is the input's name as the user typed it, or "" if there is only one.
	File string `json:"file,omitzero"`
	report.Entry
}

// createReport starts the report before anything is converted, so that an unwritable path stops the
// command in time. It uses the open standard streams for their paths. Opening them again would
// write at another position of the same file.
func createReport(ctx context.Context, path string, stdout, stderr io.Writer) (*reportWriter,
	error) {
	switch path {
	case "":
		return &reportWriter{out: io.Discard}, nil
	case "-", "/dev/stdout":
		return &reportWriter{out: stdout}, nil
	case "/dev/stderr":
		return &reportWriter{out: stderr}, nil
	}
	file, err := process.CreateOutput(ctx, path)
	if err != nil {
		return nil, err
	}
	return &reportWriter{out: file, file: file}, nil
}

// add appends an input's entries. They have the input's name only if there are several inputs.
func (r *reportWriter) add(name string, several bool, report report.Report) {
	if !several {
		name = ""
	}
	for _, entry := range report {
		r.entries = append(r.entries, reportEntry{File: name, Entry: entry})
	}
}

// commit writes the report. Its file appears when it is complete.
func (r *reportWriter) commit() error {
	if err := listing.WriteJSON(r.out, r.entries); err != nil {
		return err
	}
	if r.file == nil {
		return nil
	}
	return r.file.Commit()
}

// discard leaves the report's path unchanged. After commit it does nothing.
func (r *reportWriter) discard() {
	if r.file != nil {
		r.file.Discard()
	}
}
