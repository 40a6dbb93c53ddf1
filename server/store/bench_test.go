package store_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/store"
)

// openRoom opens the room of documents in memory for "", or in a folder.
func openRoom(b *testing.B, folder string) responsestore.Store {
	b.Helper()
	opts := []store.Option{store.InMemory()}
	if folder != "" {
		opts = []store.Option{store.InFolder(folder)}
	}
	s, err := store.Open(b.Context(), opts...)
	if err != nil {
		b.Fatal(err)
	}
	d, err := s.Documents(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _, _ = d.Close(), s.Close() })
	return d
}

// response returns the write of a response of 2 KB with two items.
func response(id string) responsestore.Write {
	text := []byte(`"` + strings.Repeat("x", 1000) + `"`)
	return responsestore.Write{Document: &responsestore.Document{ID: id, JSON: text},
		Entries: []responsestore.Entry{
			{List: responsestore.Input, ID: "in_" + id, JSON: text[:500]},
			{List: responsestore.Output, ID: "out_" + id, JSON: text[:500]}}}
}

func BenchmarkPut(b *testing.B) {
	for _, place := range []string{"memory", "folder"} {
		folder := ""
		if place == "folder" {
			folder = filepath.Join(b.TempDir(), "store")
		}
		d := openRoom(b, folder)
		n := 0
		b.Run(place, func(b *testing.B) {
			for b.Loop() {
				n++
				if err := d.Put(b.Context(), owner, response(fmt.Sprint("resp_", n))); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(place+"/get", func(b *testing.B) {
			for b.Loop() {
				if _, err := d.Get(b.Context(), owner, fmt.Sprint("resp_", n)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOpen opens a folder with 10,000 responses.
func BenchmarkOpen(b *testing.B) {
	folder := filepath.Join(b.TempDir(), "store")
	func() {
		s, err := store.Open(b.Context(), store.InFolder(folder))
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		d, err := s.Documents(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = d.Close() }()
		for i := range 10_000 {
			if err := d.Put(b.Context(), owner, response(fmt.Sprint("resp_", i))); err != nil {
				b.Fatal(err)
			}
		}
	}()
	for b.Loop() {
		s, err := store.Open(b.Context(), store.InFolder(folder))
		if err != nil {
			b.Fatal(err)
		}
		d, err := s.Documents(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		_, _ = d.Close(), s.Close()
	}
}

// BenchmarkManySmallItems writes 200,000 items of a few bytes at once.
func BenchmarkManySmallItems(b *testing.B) {
	w := responsestore.Write{Document: &responsestore.Document{ID: "conv", JSON: []byte("{}")}}
	for i := range 200_000 {
		w.Entries = append(w.Entries, responsestore.Entry{List: responsestore.Items,
			ID: fmt.Sprint("item_", i), JSON: []byte(`{"role":"user"}`)})
	}
	for _, place := range []string{"memory", "folder"} {
		b.Run(place, func(b *testing.B) {
			folder := ""
			if place == "folder" {
				folder = filepath.Join(b.TempDir(), "store")
			}
			d := openRoom(b, folder)
			for n := 0; b.Loop(); n++ {
				w.Document.ID = fmt.Sprint("conv_", n)
				if err := d.Put(b.Context(), owner, w); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
