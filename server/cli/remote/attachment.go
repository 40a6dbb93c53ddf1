package remote

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"os"
	"path/filepath"
	"strings"

	"github.com/gabriel-vasile/mimetype"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/cli/process"
)

// inlineLimit is the maximum total size of the files in a request, in bytes. As base64 they stay
// below the 20 MB that the Gemini API allows for a request
// (https://ai.google.dev/gemini-api/docs/files). Larger files are uploaded.
const inlineLimit = 14 << 20

// attachments converts files to parts, and counts their size in the request.
type attachments struct {
	call   *call
	inline int64
}

// images converts files to parts. The files must be images.
func (a *attachments) images(ctx context.Context, paths []string) ([]geminiapi.Part, error) {
	return a.parts(ctx, paths, func(mimeType string) error {
		if !strings.HasPrefix(mimeType, "image/") {
			return fmt.Errorf("is %s, not an image; use --file", mimeType)
		}
		return nil
	})
}

// files converts files of any type to parts.
func (a *attachments) files(ctx context.Context, paths []string) ([]geminiapi.Part, error) {
	return a.parts(ctx, paths, func(string) error { return nil })
}

func (a *attachments) parts(ctx context.Context, paths []string,
	check func(mimeType string) error) ([]geminiapi.Part, error) {
	var parts []geminiapi.Part
	for _, path := range paths {
		part, err := a.part(ctx, path, check)
		if err != nil {
			return nil, &fileError{path, process.WithoutPath(err)}
		}
		parts = append(parts, part)
	}
	return parts, nil
}

func (a *attachments) part(ctx context.Context, path string,
	check func(mimeType string) error) (geminiapi.Part, error) {
	if strings.Contains(path, "://") {
		return gemini.FileDataPart(mime.TypeByExtension(filepath.Ext(path)), path), nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return geminiapi.Part{}, err
	case info.IsDir():
		return geminiapi.Part{}, errors.New("is a folder")
	}
	if info.Mode().IsRegular() && a.inline+info.Size() > inlineLimit {
		return a.upload(ctx, path, check)
	}
	data, err := process.UnlessInterrupted(ctx, func() ([]byte, error) { return os.ReadFile(path) })
	if err != nil {
		return geminiapi.Part{}, err
	}
	if len(data) == 0 {
		return geminiapi.Part{}, errors.New("is empty")
	}
	a.inline += int64(len(data))
	mimeType, err := typeOf(mimetype.Detect(data))
	if err == nil {
		err = check(mimeType)
	}
	return gemini.InlineDataPart(mimeType, data), err
}

// textTypes are the text types that Gemini's documentation lists. Any other text, such as JSON or
// source code, is sent as text/plain.
var textTypes = map[string]bool{
	"text/plain": true, "text/html": true, "text/css": true, "text/csv": true, "text/xml": true,
	"text/rtf": true,
}

// typeOf returns the media type of a file from its name and its detected type.
func typeOf(detected *mimetype.MIME) (string, error) {
	name, _, err := mime.ParseMediaType(detected.String())
	if err != nil {
		return "", err
	}
	for parent := detected; parent != nil; parent = parent.Parent() {
		if parent.Is("text/plain") && !textTypes[name] {
			return "text/plain", nil
		}
	}
	return name, nil
}

// typeOfFile detects the media type of a file from its content.
func typeOfFile(path string) (string, error) {
	detected, err := mimetype.DetectFile(path)
	if err != nil {
		return "", err
	}
	return typeOf(detected)
}

// upload uploads a file that is too large for a request, and waits until requests can use it.
func (a *attachments) upload(ctx context.Context, path string,
	check func(mimeType string) error) (geminiapi.Part, error) {
	mimeType, err := typeOfFile(path)
	if err == nil {
		err = check(mimeType)
	}
	if err != nil {
		return geminiapi.Part{}, err
	}
	file, err := uploadFile(ctx, a.call, path, &geminiapi.File{MIMEType: &mimeType},
		gemini.WithWaitActive())
	if errors.Is(err, errors.ErrUnsupported) {
		return geminiapi.Part{},
			errors.New("is too large for a request, and Vertex AI has no uploads; use a Cloud Storage URL (gs://)")
	}
	if err != nil {
		return geminiapi.Part{}, err
	}
	return gemini.FileDataPart(mimeType, jsonx.Deref(file.URI)), nil
}
