package upload

import (
	"net/http"
	"strconv"
)

// The headers of the protocol, which is that of Google's other services for media too.
const (
	HeaderProtocol    = "X-Goog-Upload-Protocol"
	HeaderCommand     = "X-Goog-Upload-Command"
	HeaderOffset      = "X-Goog-Upload-Offset"
	HeaderLength      = "X-Goog-Upload-Header-Content-Length"
	HeaderType        = "X-Goog-Upload-Header-Content-Type"
	HeaderURL         = "X-Goog-Upload-URL"
	HeaderStatus      = "X-Goog-Upload-Status"
	HeaderReceived    = "X-Goog-Upload-Size-Received"
	HeaderGranularity = "X-Goog-Upload-Chunk-Granularity"
)

// The commands.
const (
	Start             = "start"
	Upload            = "upload"
	UploadAndFinalize = "upload, finalize"
	Query             = "query"
	Cancel            = "cancel"
)

// The states of an upload, in HeaderStatus.
const (
	Active    = "active"
	Final     = "final"
	Cancelled = "cancelled"
)

// Resumable is the protocol of uploads in several requests.
const Resumable = "resumable"

// Number returns a header that counts bytes, -1 when it is not there or no count.
func Number(header http.Header, name string) int64 {
	n, err := strconv.ParseInt(header.Get(name), 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// ChunkSize returns the size of chunks that is next to wanted, and a multiple of what the server
// wants.
func ChunkSize(wanted int, header http.Header) int {
	granularity := max(1, Number(header, HeaderGranularity))
	if granularity > maxGranularity {
		return wanted
	}
	unit := int(granularity)
	return max(1, (wanted+unit-1)/unit) * unit
}

// maxGranularity keeps a server from having a client take any amount of memory.
const maxGranularity = 64 << 20
