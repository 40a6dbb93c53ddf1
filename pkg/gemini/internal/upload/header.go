package upload

import (
	"net/http"
	"strconv"
)

// The headers of the protocol, which Google's other media services use too.
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

// Number returns a header that holds a byte count, or -1 if it is missing or not a count.
func Number(header http.Header, name string) int64 {
	n, err := strconv.ParseInt(header.Get(name), 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// ChunkSize returns the chunk size that is nearest to wanted and a multiple of the server's
// granularity.
func ChunkSize(wanted int, header http.Header) int {
	granularity := max(1, Number(header, HeaderGranularity))
	if granularity > maxGranularity {
		return wanted
	}
	unit := int(granularity)
	return max(1, (wanted+unit-1)/unit) * unit
}

// maxGranularity prevents a server from making a client use any amount of memory.
const maxGranularity = 64 << 20
