// Package filestore stores the files of a fake server in memory: uploaded files, generated files
// and unfinished uploads.
package filestore

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/store"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// Store keeps files for two days, like the real server. [New] makes a Store. It is safe for
// concurrent use.
type Store struct {
	processing time.Duration // of a video
	maxTotal   int64

	files   *store.Store[*File]
	uploads *store.Store[*Upload]
}

// File is one file. It never changes.
type File struct {
	ID      string
	Content []byte
	// IsGenerated is true if the server made the file, so that it can be downloaded.
	IsGenerated bool

	meta   geminiapi.File
	active time.Time // when it can be used
}

// lifetime is how long a file is kept.
const lifetime = 48 * time.Hour

// maxFiles is the maximum number of files and uploads in a store.
const maxFiles = 1000

// MaxTotal is the maximum memory of all files of a server: 1 GiB.
const MaxTotal = 1 << 30

// New returns an empty store with a limit in bytes. A video stays in the state PROCESSING for a
// duration.
func New(processing time.Duration, maxTotal int64) *Store {
	return &Store{
		processing: processing,
		maxTotal:   maxTotal,
		files:      store.New[*File]("file", maxFiles),
		uploads:    store.New[*Upload]("upload", maxFiles),
	}
}

// Describe returns the current description of a file. A file without an address gets one from base,
// such as https://host/v1beta/, and its name.
func (f *File) Describe(base string) *geminiapi.File {
	out := f.meta
	state := geminiapi.FileStateActive
	if time.Now().Before(f.active) {
		state = geminiapi.FileStateProcessing
	}
	out.State = &state
	address := base + *out.Name
	out.URI = &address
	if f.IsGenerated {
		out.DownloadURI = new(address + ":download?alt=media")
	}
	if f.isVideo() && state == geminiapi.FileStateActive {
		out.VideoMetadata = &geminiapi.VideoFileMetadata{VideoDuration: new("1s")}
	}
	return &out
}

// IsActive reports whether requests can use the file.
func (f *File) IsActive() bool { return !time.Now().Before(f.active) }

// MIMEType returns the type of the content.
func (f *File) MIMEType() string { return jsonx.Deref(f.meta.MIMEType) }

func (f *File) isVideo() bool { return strings.HasPrefix(f.MIMEType(), "video/") }

// Add stores an uploaded file. meta is its description by the owner.
func (s *Store) Add(meta geminiapi.File, content []byte) *File {
	return s.add(meta, &File{Content: content})
}

// AddGenerated stores a file that the server made, under an id. For "" the store makes an id.
func (s *Store) AddGenerated(id, mimeType string, content []byte) *File {
	return s.add(geminiapi.File{Name: &id, MIMEType: &mimeType},
		&File{Content: content, IsGenerated: true})
}

func (s *Store) add(meta geminiapi.File, f *File) *File {
	now := time.Now()
	if f.ID = strings.TrimPrefix(jsonx.Deref(meta.Name), "files/"); f.ID == "" {
		f.ID = s.files.NewID(12)
	}
	source := geminiapi.FileSourceUploaded
	if f.IsGenerated {
		source = geminiapi.FileSourceGenerated
	}
	f.meta = geminiapi.File{
		Name: new("files/" + f.ID), DisplayName: meta.DisplayName, MIMEType: meta.MIMEType,
		SizeBytes:  new(wiretype.NewInt64(int64(len(f.Content)))),
		SHA256Hash: new(hashOf(f.Content)), Source: &source,
		CreateTime: timestamp(now, 6), UpdateTime: timestamp(now, 6),
		ExpirationTime: timestamp(now.Add(lifetime), 9),
	}
	f.active = now
	if f.isVideo() {
		f.active = now.Add(s.processing)
	}
	s.files.Put(f.ID, f, now.Add(lifetime))
	return f
}

// hashOf returns the digest in the form of the servers: the base64 of its hexadecimal digits.
func hashOf(content []byte) string {
	digest := sha256.Sum256(content)
	return base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(digest[:])))
}

func timestamp(t time.Time, digits int) *string {
	return new(t.UTC().Format("2006-01-02T15:04:05." + strings.Repeat("0", digits) + "Z"))
}

// Fits reports whether size more bytes fit into the store.
func (s *Store) Fits(size int) bool {
	total := int64(size)
	for _, f := range s.files.All() {
		total += int64(len(f.Content))
	}
	for _, u := range s.uploads.All() {
		total += u.contentSize.Load()
	}
	return total <= s.maxTotal
}

// Has reports whether a file with an id exists.
func (s *Store) Has(id string) bool {
	_, ok := s.files.Get(id)
	return ok
}

// Get returns a file.
func (s *Store) Get(id string) (*File, bool) { return s.files.Get(id) }

// Delete deletes a file, and returns false if it does not exist.
func (s *Store) Delete(id string) bool { return s.files.Delete(id) }

// List returns a page of the files, newest first.
func (s *Store) List(page store.Page) (files []*File, next string, ok bool) {
	return s.files.List(page)
}
