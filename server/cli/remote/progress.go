package remote

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/schollz/progressbar/v3"
)

// uploadFile uploads a file under its name, with a progress bar.
func uploadFile(ctx context.Context, c *call, path string, about *geminiapi.File,
	opts ...gemini.CallOption) (*geminiapi.File, error) {
	in, err := process.UnlessInterrupted(ctx, func() (*os.File, error) { return os.Open(path) })
	if err != nil {
		return nil, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	own := *about
	if own.DisplayName == nil {
		own.DisplayName = new(filepath.Base(path))
	}
	if info.Mode().IsRegular() {
		own.SizeBytes = new(wiretype.NewInt64(info.Size()))
	}
	bar := newBar(c.stderr, filepath.Base(path), info.Size())
	defer bar.Clear()
	progress := gemini.WithUploadProgress(func(sent, _ int64) { _ = bar.Set64(sent) })
	return c.client.Files.Upload(ctx, process.NewReader(ctx, in), &own,
		append([]gemini.CallOption{progress}, opts...)...)
}

// newBar returns a progress bar for a size in bytes, or -1 if it is not known. The bar is visible
// only on a terminal.
func newBar(stderr io.Writer, name string, size int64) *progressbar.ProgressBar {
	return progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetVisibility(process.IsTerminal(stderr)),
		progressbar.OptionSetDescription(name),
		progressbar.OptionShowBytes(true),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}
