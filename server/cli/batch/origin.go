package batch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gemwire/gemwire/server/bulk"
)

// Names in the metadata of jobs of this command.
const (
	metadataInput  = "gemwire_input"  // path of the requests
	metadataOutput = "gemwire_output" // path of the answers
	metadataDigest = "gemwire_digest" // of the requests and settings of a submitted job
)

// origin returns the metadata of a job with the paths of its input and output. Out is "" for a job
// without an output file.
func origin(in, out string) (map[string]string, error) {
	found := map[string]string{}
	for name, path := range map[string]string{metadataInput: in, metadataOutput: out} {
		if path == "" || path == standardInput {
			continue
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if len(path) <= maxMetadata {
			found[name] = path
		}
	}
	return found, nil
}

// maxMetadata is the maximum length of a value. A longer path is left out.
const maxMetadata = 512

// unfinished returns the newest job that has not ended and has a value in its metadata, or nil.
func unfinished(ctx context.Context, service *bulk.Service, name, value string) (*bulk.Job, error) {
	found, _, err := newest(ctx, service, name, value)
	return found, err
}

// newest returns the newest job that has a value in its metadata and has not ended, or nil. It also
// returns the newest one that has ended, if that is newer.
func newest(ctx context.Context, service *bulk.Service, name, value string) (unfinished,
	ended *bulk.Job, err error) {
	for job, err := range service.Jobs(ctx, bulk.Page{}) {
		switch {
		case errors.Is(err, bulk.ErrDamaged):
		case err != nil:
			return nil, nil, err
		case value == "" || job.Metadata[name] != value:
		case !job.State.Ended():
			return job, ended, nil
		case ended == nil:
			ended = job
		}
	}
	return nil, ended, nil
}

// checkNew returns the metadata of a new job. If an unfinished job writes to the same file, it
// returns an error, because a new job would pay for its answers again. With --reuse the new job
// reuses these answers.
func (r *run) checkNew(ctx context.Context, service *bulk.Service) (map[string]string, error) {
	made, err := origin(r.input.path, r.out.path)
	if err != nil || r.isNew {
		return made, err
	}
	other, ended, err := newest(ctx, service, metadataOutput, made[metadataOutput])
	switch {
	case err != nil:
		return made, err
	case other == nil && ended != nil:
		r.note("the job %s wrote %s and has ended; the input or the settings have changed since, so all requests are sent",
			ended.ID, r.out.path)
		return made, nil
	case other == nil:
		return made, nil
	}
	if r.reuse {
		r.note("reusing the answers of the unfinished job %s to the same requests", other.ID)
		made[metadataReuse] = other.ID
		return made, nil
	}
	p, err := service.Progress(ctx, other.ID)
	if err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s belongs to the unfinished job %s, which has %d of %d lines of %s; the input or the settings have changed since; set --reuse to send only the requests that it has no answers to, or --new to send all; the old input and settings continue it",
		r.out.path, other.ID, p.Counts.Done(), p.Counts.Total,
		other.Metadata[metadataInput])
}
