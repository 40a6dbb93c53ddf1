package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// checkDirectory returns [ErrDamaged] with all files of a directory that are damaged. Damaged
// requests, answers and files of bulk jobs are logged only, because the jobs name the lost lines.
func (h *host) checkDirectory() error {
	sizes := readCheckpoint(h.directory).Files
	var damage damage
	for _, path := range slices.Sorted(maps.Keys(sizes)) {
		file := filepath.Join(h.directory, filepath.FromSlash(path))
		info, err := os.Stat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			damage.add(file, "the file "+file+" is missing")
		case err != nil:
			return fmt.Errorf("store: read the store: %w", err)
		case info.Size() != sizes[path]:
			damage.add(file, fmt.Sprintf("the file %s has %d bytes and had %d", file, info.Size(),
				sizes[path]))
		}
	}
	folders := streamFolders(h.directory)
	if h.settings.Key != "" {
		folders = nil // the blocks are encrypted
	}
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		found, err := checkBlocks(name, folders[name], sizes == nil)
		if err != nil {
			return err
		}
		if found != nil {
			damage.add(found.path, fmt.Sprintf("the file %s is damaged at byte %d", found.path,
				found.at))
		}
	}
	return damage.judge(h)
}

// damage lists what is damaged in a directory, each file once.
type damage struct {
	paths []string
	texts []string
}

func (d *damage) add(path, text string) {
	if !slices.Contains(d.paths, path) {
		d.paths, d.texts = append(d.paths, path), append(d.texts, text)
	}
}

// maxDamage is the number of damaged files that an error names.
const maxDamage = 10

// judge returns the error of the damaged files, or nil. It logs those with data of bulk jobs.
func (d *damage) judge(h *host) error {
	var texts []string
	for i, path := range d.paths {
		if strings.Contains(path, string(filepath.Separator)+bulkStreams) {
			h.settings.Logger.Error(
				"store: data of jobs is damaged; the jobs name the lines that are lost", "error",
				d.texts[i])
			continue
		}
		texts = append(texts, d.texts[i])
	}
	if len(texts) == 0 {
		return nil
	}
	if rest := len(texts) - maxDamage; rest > 0 {
		texts = append(texts[:maxDamage], fmt.Sprintf("%d more files are damaged", rest))
	}
	it, had := "it", "it had"
	if len(texts) > 1 {
		it, had = "them", "they had"
	}
	return fmt.Errorf("%w: %s; restore %s from a backup, or, to lose what %s, move %s away with the "+
		"file %s", ErrDamaged, strings.Join(texts, "; "), it, had, it,
		filepath.Join(h.directory, checkpointFile))
}

// bulkStreams is the prefix of the streams with the data of bulk jobs.
const bulkStreams = "GEMWIRE_BULK_"

// checkLast returns [ErrDamaged] if streams have lost their last messages.
func (h *host) checkLast(ctx context.Context, js jetstream.JetStream) error {
	folders := streamFolders(h.directory)
	last := readCheckpoint(h.directory).Last
	var damage damage
	for _, name := range slices.Sorted(maps.Keys(last)) {
		stream, err := js.Stream(ctx, name)
		if err != nil {
			continue // which [checkStreams] explains
		}
		if state := stream.CachedInfo().State; state.LastSeq < last[name] || state.Lost != nil {
			folder := filepath.Join(folders[name], "msgs")
			damage.add(folder, fmt.Sprintf("a file in %s was cut, changed or removed: the last "+
				"message is %d, and was %d", folder, state.LastSeq, last[name]))
		}
	}
	return damage.judge(h)
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
