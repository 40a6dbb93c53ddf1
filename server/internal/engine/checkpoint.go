package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

// checkpointFile is the file in a directory with what the streams had. It shows that a block file
// was cut or removed, which the server itself does not notice.
const checkpointFile = "checkpoint"

// checkpointPause is the time between two checkpoints.
const checkpointPause = 2 * time.Second

// checkpoint says what the streams of a directory had.
type checkpoint struct {
	// Last are the sequences of the last messages by the names of streams.
	Last map[string]uint64 `json:"last,omitempty"`
	// Files are the sizes of the block files, if the server has ended since.
	Files map[string]int64 `json:"files,omitempty"`
}

// readCheckpoint returns the checkpoint of a directory. It is empty if the file is missing, or
// if a power failure has damaged it.
func readCheckpoint(directory string) (c checkpoint) {
	data, err := os.ReadFile(filepath.Join(directory, checkpointFile))
	if err != nil || json.Unmarshal(data, &c) != nil {
		return checkpoint{}
	}
	return c
}

// write replaces the checkpoint of a directory. A checkpoint that cannot be written, such as on a
// full disk, stays as it was, and is still right.
func (c checkpoint) write(directory string) {
	data, err := json.Marshal(c, json.Deterministic(true))
	if err != nil {
		return
	}
	path := filepath.Join(directory, checkpointFile)
	if os.WriteFile(path+".tmp", data, 0o600) == nil {
		_ = os.Rename(path+".tmp", path)
	}
}

// checkpointOf returns what the streams of a server have. It reports false if the server does not
// say it.
func checkpointOf(s *server.Server) (c checkpoint, ok bool) {
	c.Last = map[string]uint64{}
	info, err := s.Jsz(&server.JSzOptions{Accounts: true, Streams: true})
	if err != nil {
		return c, false
	}
	for _, account := range info.AccountDetails {
		for i := range account.Streams {
			c.Last[account.Streams[i].Name] = account.Streams[i].State.LastSeq
		}
	}
	return c, true
}

// addFiles adds the sizes of the block files, after the server has ended.
func (c *checkpoint) addFiles(directory string) {
	c.Files = map[string]int64{}
	for _, folder := range streamFolders(directory) {
		blocks, _ := blocksOf(folder)
		for _, b := range blocks {
			if info, err := os.Stat(b.path); err == nil {
				path, _ := filepath.Rel(directory, b.path)
				c.Files[filepath.ToSlash(path)] = info.Size()
			}
		}
	}
}

// howToGoOn is the end of an error about a damaged file.
func howToGoOn(directory string) string {
	return "; restore it from a backup, or, to lose what it had, move it away with the file " +
		filepath.Join(directory, checkpointFile)
}

// checkDirectory returns [ErrDamaged] if a file of a directory is damaged. Damaged requests,
// answers and files of bulk jobs are logged only, because the jobs name the lines that are lost.
func (h *host) checkDirectory() error {
	files := readCheckpoint(h.directory).Files
	for path, size := range files {
		path = filepath.Join(h.directory, filepath.FromSlash(path))
		info, err := os.Stat(path)
		what := ""
		switch {
		case err != nil:
			what = "it is missing"
		case info.Size() != size:
			what = fmt.Sprintf("it has %d bytes and had %d", info.Size(), size)
		default:
			continue
		}
		err = fmt.Errorf("%w: the file %s: %s", ErrDamaged, path, what)
		if err := h.judge(path, err); err != nil {
			return err
		}
	}
	if h.settings.Key != "" {
		return nil // the blocks are encrypted
	}
	for name, folder := range streamFolders(h.directory) {
		if err := checkBlocks(name, folder, files == nil); err != nil {
			if err := h.judge(folder, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// judge returns an error about a file, or logs it if it has data of bulk jobs.
func (h *host) judge(path string, err error) error {
	if strings.Contains(path, string(filepath.Separator)+bulkStreams) {
		h.settings.Logger.Error("store: data of jobs is damaged; the jobs name the lines that are lost",
			"error", err)
		return nil
	}
	return fmt.Errorf("%w%s", err, howToGoOn(h.directory))
}

// bulkStreams is the prefix of the streams with the data of bulk jobs.
const bulkStreams = "GEMWIRE_BULK_"

// checkLast returns [ErrDamaged] if a stream has lost its last messages.
func (h *host) checkLast(ctx context.Context, js jetstream.JetStream) error {
	folders := streamFolders(h.directory)
	for name, last := range readCheckpoint(h.directory).Last {
		stream, err := js.Stream(ctx, name)
		if err != nil {
			continue // which [checkStreams] explains
		}
		if state := stream.CachedInfo().State; state.LastSeq < last || state.Lost != nil {
			folder := filepath.Join(folders[name], "msgs")
			err := fmt.Errorf("%w: a file in %s was cut, changed or removed: the last message is %d, and was %d",
				ErrDamaged, folder, state.LastSeq, last)
			if err := h.judge(folder, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeCheckpoint writes what the streams have now. The one before stays if the server does not say
// it.
func (h *host) writeCheckpoint(s *server.Server) {
	if c, ok := checkpointOf(s); ok {
		c.write(h.directory)
	}
}

// keepCheckpoints writes checkpoints until the returned function is called, which returns the last
// one.
func (h *host) keepCheckpoints(s *server.Server) (stop func() checkpoint) {
	// A full disk may keep the next one from being written, and the sizes in this one change now.
	_ = os.Remove(filepath.Join(h.directory, checkpointFile))
	h.writeCheckpoint(s)
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticks := time.NewTicker(checkpointPause)
		defer ticks.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticks.C:
				h.writeCheckpoint(s)
			}
		}
	}()
	return func() checkpoint {
		close(ended)
		<-done
		last, _ := checkpointOf(s)
		return last
	}
}
