// Package upload reads a file from a multipart form as it arrives, without storing it.
package upload

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits for the other parts of the form.
const (
	maxField  = 1 << 10 // also of the file's name
	maxFields = 16
)

// OpenAI's bounds for how long a file may be stored.
const (
	shortest = time.Hour
	longest  = 30 * 24 * time.Hour
)

// FieldError is an error in the form.
type FieldError struct {
	// Field is the invalid part, or "" for the form itself.
	Field  string
	Reason string
}

// Error returns the part and the reason.
func (e *FieldError) Error() string {
	if e.Field == "" {
		return "upload: " + e.Reason
	}
	return "upload: " + e.Field + ": " + e.Reason
}

// Upload is a form with a file, whose parts may come in any order. It is not safe for concurrent
// use.
type Upload struct {
	form   *multipart.Reader
	file   *multipart.Part
	fields map[string]string
}

// Read reads a form up to its file. Its error is a *FieldError, or an error of the connection.
func Read(r *http.Request) (*Upload, error) {
	form, err := r.MultipartReader()
	if err != nil {
		return nil, &FieldError{Reason: "expected multipart/form-data with the parts purpose and file"}
	}
	u := &Upload{form: form, fields: map[string]string{}}
	if err := u.readFields(); err != nil {
		return nil, err
	}
	if u.file == nil {
		return nil, &FieldError{Field: "file", Reason: "is missing"}
	}
	return u, nil
}

// Filename is the client's name for the file, or "upload". It is always valid UTF-8.
func (u *Upload) Filename() string {
	if name := u.file.FileName(); name != "" {
		return strings.ToValidUTF8(name, "\ufffd")
	}
	return "upload"
}

// Content is the file. It must be read to its end before Details.
func (u *Upload) Content() io.Reader { return u.file }

// readFields reads parts up to the file, or to the end of the form.
func (u *Upload) readFields() error {
	for {
		part, err := u.form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return malformed(err)
		}
		name := part.FormName()
		if name == "file" {
			if u.file != nil {
				return &FieldError{Field: "file", Reason: "must occur only once"}
			}
			if len(part.FileName()) > maxField {
				return &FieldError{Field: name,
					Reason: "has a name of more than " + strconv.Itoa(maxField) + " bytes"}
			}
			u.file = part
			return nil
		}
		if err := u.readField(name, part); err != nil {
			return err
		}
	}
}

func (u *Upload) readField(name string, part io.Reader) error {
	if _, isTwice := u.fields[name]; isTwice || len(u.fields) == maxFields {
		return &FieldError{Field: name, Reason: "must occur only once; the form has at most 8 parts"}
	}
	value, err := io.ReadAll(io.LimitReader(part, maxField+1))
	if err != nil {
		return malformed(err)
	}
	if len(value) > maxField {
		return &FieldError{Field: name,
			Reason: "is longer than " + strconv.Itoa(maxField) + " bytes"}
	}
	if !utf8.Valid(value) {
		return &FieldError{Field: name, Reason: "must be valid UTF-8"}
	}
	u.fields[name] = string(value)
	return nil
}

// malformed distinguishes an error of the form from an error of the connection.
func malformed(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) || errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return fmt.Errorf("%w: %w",
		&FieldError{Reason: "the form is not valid multipart/form-data"}, err)
}

// Details reads the parts after the file. It returns the file's purpose and how long it is stored.
// 0 is as long as the server stores files. It returns the same errors as [Read].
func (u *Upload) Details() (purpose string, expiresAfter time.Duration, err error) {
	if err := u.readFields(); err != nil {
		return "", 0, err
	}
	if purpose = u.fields["purpose"]; purpose == "" {
		return "", 0, &FieldError{Field: "purpose", Reason: "is missing"}
	}
	expiresAfter, err = u.expiresAfter()
	return purpose, expiresAfter, err
}

func (u *Upload) expiresAfter() (time.Duration, error) {
	anchor, hasAnchor := u.fields["expires_after[anchor]"]
	text, hasSeconds := u.fields["expires_after[seconds]"]
	if !hasAnchor && !hasSeconds {
		return 0, nil
	}
	if anchor != "created_at" {
		return 0, &FieldError{Field: "expires_after[anchor]", Reason: "must be created_at"}
	}
	seconds, err := strconv.ParseInt(text, 10, 32)
	after := time.Duration(seconds) * time.Second
	if err != nil || after < shortest || after > longest {
		return 0, &FieldError{Field: "expires_after[seconds]",
			Reason: "must be between 3600 and 2592000"}
	}
	return after, nil
}
