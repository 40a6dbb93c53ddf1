package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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

// checkStreams returns [ErrDamaged] if the server has not found streams whose folders have data.
// The server only logs that, and a new stream would hide that all its data is lost. It removes a
// folder without data, which a process that was killed has begun to make.
func checkStreams(ctx context.Context, js jetstream.JetStream, folders map[string]string) error {
	var unread []string
	for _, config := range configs(0) {
		folder, has := folders[config.Name]
		if !has {
			continue
		}
		_, err := js.Stream(ctx, config.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			if !hasData(folder) {
				if err := os.RemoveAll(folder); err != nil {
					return fmt.Errorf("store: make the stream %s: %w", config.Name, err)
				}
				continue
			}
			unread = append(unread, folder)
			continue
		}
		if err != nil {
			return fmt.Errorf("store: read the stream in %s: %w", folder, err)
		}
	}
	if len(unread) > 0 {
		return fmt.Errorf("%w: the server cannot read the stream in %s; restore what is named here, "+
			"or move it away to lose what it has", ErrDamaged, strings.Join(unread, ", "))
	}
	return nil
}

// hasData reports whether the folder of a stream has messages.
func hasData(folder string) bool {
	messages, err := os.ReadDir(filepath.Join(folder, "msgs"))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	for _, m := range messages {
		if info, err := m.Info(); filepath.Ext(m.Name()) == ".blk" &&
			(err != nil || info.Size() > 0) {
			return true
		}
	}
	return false
}
