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
	for job, err := range service.Jobs(ctx, bulk.Page{}) {
		switch {
		case errors.Is(err, bulk.ErrDamaged):
		case err != nil:
			return nil, err
		case value != "" && job.Metadata[name] == value && !job.State.Ended():
			return job, nil
		}
	}
	return nil, nil
}

// checkNew returns the metadata of a new job. If an unfinished job writes to the same file, it
// returns an error, because a new job would pay for its answers again. With --reuse the new job
// reuses these answers.
func (r *run) checkNew(ctx context.Context, service *bulk.Service) (map[string]string, error) {
	made, err := origin(r.input.path, r.out.path)
	if err != nil || r.isNew {
		return made, err
	}
	other, err := unfinished(ctx, service, metadataOutput, made[metadataOutput])
	if other == nil || err != nil {
		return made, err
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
	return nil, fmt.Errorf("%s belongs to the unfinished job %s, which has %d of %d lines of %s; the input or the settings have changed since; set --reuse to send only the requests that it has no answers to, or --new to send all; the old command continues it",
		r.out.path, other.ID, p.Counts.Done(), p.Counts.Total,
		other.Metadata[metadataInput])
}
