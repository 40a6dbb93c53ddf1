package bulk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// killed returns a copy of the directory of an open store: what a process leaves if it is killed
// now.
func killed(t *testing.T, directory string) string {
	t.Helper()
	left := filepath.Join(t.TempDir(), "left")
	if err := os.CopyFS(left, filesOf{os.DirFS(directory)}); err != nil {
		t.Fatal(err)
	}
	return left
}

// filesOf skips anything that is not a regular file, such as a socket.
type filesOf struct{ fs.FS }

func (f filesOf) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(f.FS, name)
	return slices.DeleteFunc(entries,
		func(e fs.DirEntry) bool { return !e.IsDir() && !e.Type().IsRegular() }), err
}

func TestDeletedJobsStayDeletedAfterAnyCrash(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	service := openIn(t, directory)
	// Unlike the other jobs, this job is kept.
	submit(t, service, bulk.Submission{ID: "batch_kept", Input: strings.NewReader(questions(3))})
	wrong, err := service.Submit(t.Context(),
		bulk.Submission{ID: "batch_wrong", Input: strings.NewReader("oops\n")})
	if !errors.As(err, new(*line.InputError)) {
		t.Fatal(err)
	}
	done := submit(t, service,
		bulk.Submission{ID: "batch_done", Input: strings.NewReader(questions(3))})
	stop := work(t, service, live(&answerer{}))
	await(t, service, done.ID, bulk.Completed)
	stop()
	file, err := service.PutFile(t.Context(), bulk.File{Name: "a", Purpose: "batch"},
		strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{service.Delete(t.Context(), wrong.ID),
		service.Delete(t.Context(), done.ID), service.DeleteFile(t.Context(),
			file.ID), service.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	next := openIn(t, directory)
	submit(t, next, bulk.Submission{ID: "batch_next", Input: strings.NewReader(questions(3))})
	again := openIn(t, killed(t, directory))
	for job, err := range again.Jobs(t.Context(), bulk.Page{}) {
		if err != nil || job.ID != "batch_next" && job.ID != "batch_kept" {
			t.Errorf("there is %+v, %v", job, err)
		}
	}
	for found, err := range again.Files(t.Context(), bulk.Page{}) {
		if err != nil || found.Name != "batch_kept_output.jsonl" {
			t.Errorf("there is %+v, %v", found, err)
		}
	}
	if _, err := again.Job(t.Context(), done.ID); !errors.As(err, new(*bulk.NotFoundError)) {
		t.Error(err)
	}
	// A name is free again.
	job := submit(t, again, bulk.Submission{ID: done.ID, Input: strings.NewReader(questions(2))})
	work(t, again, live(&answerer{}))
	if ended := await(t, again, job.ID, bulk.Completed); ended.Counts.Completed != 2 {
		t.Errorf("%+v", ended.Counts)
	}
}
