package inspector

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/gofrs/flock"
)

// WithFolder keeps exchanges and sessions in a folder, so that they survive a restart. The limits
// of the memory apply. The folder holds what users and models write; its files are readable by
// their owner only. Only one inspector may use a folder at a time. [Inspector.CloseFolder] must be
// called at the end.
func WithFolder(path string) Option {
	return func(s *settings) {
		s.folder = path
		s.refuse(path == "", "the folder has no name")
	}
}

// Names in a folder.
const (
	exchangesFolder = "exchanges"
	mediaFolder     = "media"
	stateFile       = "state.json"
	lockFile        = "lock"
	newFile         = ".new-" // begins the name of a file that is being written
)

// folder writes exchanges to files. Each ended exchange has a file with its number, and each medium
// has a file with its hash. A goroutine runs while there is something to write. After a crash of
// the machine the newest exchanges may be missing, because nothing waits for the disk.
type folder struct {
	path  string
	lock  *flock.Flock
	store *store

	mu       sync.Mutex
	idle     sync.Cond
	unsaved  []int // numbers of exchanges
	isQueued map[int]bool
	dropped  []string // files
	state    *folderState
	running  bool
	closed   bool
	err      error // the first one
}

// folderState has the other facts that the folder keeps. Sessions are hashes of the tokens in
// cookies.
type folderState struct {
	Format   string   `json:"format"`
	Next     int      `json:"next"` // the number of the next exchange
	Sessions []string `json:"sessions"`
}

// openFolder makes a folder if needed, and locks it.
func openFolder(path string) (*folder, error) {
	for _, name := range []string{path, filepath.Join(path, exchangesFolder),
		filepath.Join(path, mediaFolder)} {
		if err := os.MkdirAll(name, 0o700); err != nil {
			return nil, fmt.Errorf("inspector: make the folder: %w", err)
		}
		if err := os.Chmod(name, 0o700); err != nil {
			return nil, fmt.Errorf("inspector: restrict access to the folder: %w", err)
		}
	}
	f := &folder{path: path, isQueued: map[int]bool{},
		lock: flock.New(filepath.Join(path, lockFile), flock.SetPermissions(0o600))}
	f.idle.L = &f.mu
	switch ok, err := f.lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("inspector: lock the folder: %w", err)
	case !ok:
		return nil, errors.New("inspector: another gateway uses the folder " + path)
	}
	return f, nil
}

// name returns the path of a file in the folder.
func (f *folder) name(parts ...string) string {
	return filepath.Join(append([]string{f.path}, parts...)...)
}

// fileOf returns the name of the file of an exchange.
func fileOf(number int) string { return strconv.Itoa(number) + ".json" }

// save queues an exchange that must be written. The store is locked.
func (f *folder) save(r *record) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed && !f.isQueued[r.number] {
		f.isQueued[r.number] = true
		f.unsaved = append(f.unsaved, r.number)
		f.wake()
	}
}

// drop queues the file of a dropped exchange for deletion. The store is locked.
func (f *folder) drop(r *record) { f.dropFile(exchangesFolder, fileOf(r.number)) }

// dropMedium queues the file of a medium that no exchange has any more. The store is locked.
func (f *folder) dropMedium(m *medium) {
	f.dropFile(mediaFolder, hex.EncodeToString(m.sum[:]))
}

func (f *folder) dropFile(parts ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.dropped = append(f.dropped, filepath.Join(parts...))
		f.wake()
	}
}

// saveState queues the state.
func (f *folder) saveState(state folderState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state = &state
	f.wake()
}

// wake starts the goroutine unless it runs.
func (f *folder) wake() {
	if !f.running && !f.closed {
		f.running = true
		go f.work()
	}
}

// work writes and deletes files until nothing is queued.
func (f *folder) work() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		var err error
		switch {
		case f.state != nil:
			state := f.state
			f.state = nil
			err = f.unlocked(func() error { return f.write(state, stateFile) })
		case len(f.dropped) > 0:
			file := f.dropped[0]
			f.dropped = f.dropped[1:]
			err = f.unlocked(func() error { return f.remove(file) })
		case len(f.unsaved) > 0:
			number := f.unsaved[0]
			f.unsaved = f.unsaved[1:]
			delete(f.isQueued, number)
			err = f.unlocked(func() error { return f.writeRecord(number) })
		default:
			f.unsaved, f.dropped, f.running = nil, nil, false
			f.idle.Broadcast()
			return
		}
		if f.err == nil {
			f.err = err
		}
	}
}

// unlocked calls a function without the lock.
func (f *folder) unlocked(call func() error) error {
	f.mu.Unlock()
	defer f.mu.Lock()
	return call()
}

// writeRecord writes an exchange and its media, unless it was dropped.
func (f *folder) writeRecord(number int) error {
	kept, ok := f.store.snapshot(context.Background(), number)
	if !ok {
		return nil
	}
	for b := range kept.allBodies() {
		for _, ref := range b.media {
			name := hex.EncodeToString(ref.sum[:])
			if _, err := os.Stat(f.name(mediaFolder, name)); err == nil {
				continue
			}
			if err := f.writeFile(ref.data, mediaFolder, name); err != nil {
				return err
			}
		}
	}
	return f.write(kept.stored(), exchangesFolder, fileOf(kept.number))
}

// remove deletes a file. A medium stays if another exchange has it by now.
func (f *folder) remove(file string) error {
	if folder, sum := filepath.Split(file); filepath.Clean(folder) == mediaFolder &&
		f.store.findMedium(sum) != nil {
		return nil
	}
	if err := os.Remove(f.name(file)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// write writes a file of JSON.
func (f *folder) write(value any, parts ...string) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return f.writeFile(data, parts...)
}

// writeFile writes a file that only the owner can read. It replaces an existing one at once.
func (f *folder) writeFile(data []byte, parts ...string) error {
	path := f.name(parts...)
	file, err := os.CreateTemp(filepath.Dir(path), newFile+"*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// problem returns the first error of writing, or "".
func (f *folder) problem() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

// close waits until all is written, and unlocks the folder. Then nothing is written any more.
func (f *folder) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.running {
		f.idle.Wait()
	}
	f.closed = true
	return errors.Join(f.err, f.lock.Unlock())
}

// CloseFolder writes to the folder of [WithFolder] what is not written yet, and unlocks the folder.
// Later exchanges are in memory only. It returns the first error of writing. Without a folder it
// does nothing.
func (i *Inspector) CloseFolder() error {
	if i.disk == nil {
		return nil
	}
	i.store.settle(context.Background())
	i.saveState()
	return i.disk.close()
}

// load reads the exchanges of the folder into the store, and the sessions. Files that cannot be
// read are skipped.
func (i *Inspector) load() error {
	f := i.disk
	f.store = i.store
	var state folderState
	if data, err := os.ReadFile(f.name(stateFile)); err == nil {
		_ = json.Unmarshal(data, &state) // or there are no sessions
	}
	i.sessions.restore(state.Sessions)
	numbers, err := f.numbers()
	if err != nil {
		return err
	}
	media := &folderMedia{folder: f, known: map[digest]*medium{}}
	// The secrets of that time were removed before the files were written.
	t := &restorer{retain: &retention{maxBody: i.retain.maxBody, maxString: i.retain.maxString,
		maxMedia: i.retain.maxMedia}, forms: i.forms, backlog: i.backlog,
		media: media.find}
	i.store.saved, i.store.lost, i.store.lostMedium = nil, f.drop, f.dropMedium
	for r := range f.records(t, numbers) {
		i.store.restored(r)
	}
	i.store.saved = f.save
	i.store.unpinExcess()
	i.store.next = max(i.store.next, state.Next)
	return f.tidy(i.store)
}

// numbers returns the numbers of the exchanges in the folder, sorted.
func (f *folder) numbers() (numbers []int, err error) {
	files, err := os.ReadDir(f.name(exchangesFolder))
	if err != nil {
		return nil, fmt.Errorf("inspector: read the folder: %w", err)
	}
	for _, file := range files {
		name, isJSON := strings.CutSuffix(file.Name(), ".json")
		if number, err := strconv.Atoi(name); isJSON && err == nil && number > 0 {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// records reads exchanges on all processors, and returns them in their order.
func (f *folder) records(t *restorer, numbers []int) iter.Seq[*record] {
	return func(yield func(*record) bool) {
		reading := make(chan chan *record, 2*runtime.GOMAXPROCS(0))
		go func() {
			defer close(reading)
			for _, number := range numbers {
				one := make(chan *record, 1)
				reading <- one
				go func() { one <- f.record(t, number) }()
			}
		}()
		goOn := true
		for one := range reading {
			if r := <-one; r != nil && goOn {
				goOn = yield(r)
			}
		}
	}
}

// record reads an exchange. It returns nil for a file that cannot be read.
func (f *folder) record(t *restorer, number int) *record {
	var stored storedExchange
	data, err := os.ReadFile(f.name(exchangesFolder, fileOf(number)))
	if err != nil || json.Unmarshal(data, &stored) != nil {
		return nil
	}
	r := t.record(&stored)
	r.number = number
	return r
}

// folderMedia reads media of a folder, each once.
type folderMedia struct {
	*folder
	mu    sync.Mutex
	known map[digest]*medium
}

// find returns a medium of the folder, or nil.
func (f *folderMedia) find(sum digest, mediaType string) *medium {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m := f.known[sum]; m != nil {
		return m
	}
	data, err := os.ReadFile(f.name(mediaFolder, hex.EncodeToString(sum[:])))
	if err != nil || sha256.Sum256(data) != sum || cleanType(mediaType) == "" {
		return nil
	}
	f.known[sum] = &medium{sum: sum, mediaType: cleanType(mediaType), data: data}
	return f.known[sum]
}

// tidy deletes media that no exchange has, and files that were not completed.
func (f *folder) tidy(s *store) error {
	for _, name := range []string{"", exchangesFolder, mediaFolder} {
		files, err := os.ReadDir(f.name(name))
		if err != nil {
			return fmt.Errorf("inspector: read the folder: %w", err)
		}
		for _, file := range files {
			isLeft := strings.HasPrefix(file.Name(), newFile) ||
				name == mediaFolder && s.findMedium(file.Name()) == nil
			if isLeft {
				_ = os.Remove(f.name(name, file.Name())) // or at the next start
			}
		}
	}
	return nil
}
