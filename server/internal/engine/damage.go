package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go/jetstream"
)

// streamFolders returns the folders of the streams that a directory has, by their names.
func streamFolders(directory string) map[string]string {
	folder := filepath.Join(directory, "jetstream", "$G", "streams")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil // of a new store
	}
	folders := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			folders[e.Name()] = filepath.Join(folder, e.Name())
		}
	}
	return folders
}

// checkStreams returns [ErrDamaged] if the server has not found a stream that has a folder. The
// server only logs that, and a new stream would hide that all its data is lost.
func checkStreams(ctx context.Context, js jetstream.JetStream, folders map[string]string) error {
	for _, config := range configs(0) {
		folder, has := folders[config.Name]
		if !has {
			continue
		}
		_, err := js.Stream(ctx, config.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("%w: the server cannot read the stream in %s; restore this folder, "+
				"or move it away to lose what it has", ErrDamaged, folder)
		}
		if err != nil {
			return fmt.Errorf("bulk: read the stream in %s: %w", folder, err)
		}
	}
	return nil
}
