package remote

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gabriel-vasile/mimetype"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/cli/process"
)

// mediaFolder is the folder for images and other media of an answer.
type mediaFolder struct {
	ctx   context.Context
	path  string // "" leaves them out
	count int
}

// save writes a medium to the folder. It returns a line that says where the medium is, or that it
// was omitted.
func (f *mediaFolder) save(m *normalize.Media) (string, error) {
	if f.path == "" {
		size, _ := media.Base64Length(m.Data)
		return fmt.Sprintf("%s of %d bytes omitted; --out DIR saves it in a folder", m.MIMEType,
			size), nil
	}
	data, err := base64.StdEncoding.DecodeString(m.Data)
	if err != nil {
		return "", fmt.Errorf("%s in the answer is not base64", m.MIMEType)
	}
	if err := os.MkdirAll(f.path, 0o777); err != nil {
		return "", &fileError{f.path, process.WithoutPath(err)}
	}
	path := f.free(extensionOf(m.MIMEType, data))
	if err := writeFile(f.ctx, path, data); err != nil {
		return "", &fileError{path, process.WithoutPath(err)}
	}
	return "wrote " + path, nil
}

// free returns a path that does not exist yet.
func (f *mediaFolder) free(extension string) string {
	for {
		f.count++
		path := filepath.Join(f.path, fmt.Sprintf("answer-%d%s", f.count, extension))
		if _, err := os.Lstat(path); err != nil {
			return path
		}
	}
}

// extensionOf returns the file extension for a type, or else for the content.
func extensionOf(mimeType string, data []byte) string {
	if known := mimetype.Lookup(mimeType); known != nil {
		return known.Extension()
	}
	return mimetype.Detect(data).Extension()
}

// writeFile writes a file that appears when it is complete.
func writeFile(ctx context.Context, path string, data []byte) error {
	out, err := process.CreateOutput(ctx, path)
	if err != nil {
		return err
	}
	defer out.Discard()
	if _, err := out.Write(data); err != nil {
		return err
	}
	return out.Commit()
}
