package fakegemini

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/filestore"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// The headers of a reply about an upload.
const (
	headerUploadURL         = "X-Goog-Upload-URL"
	headerUploadStatus      = "X-Goog-Upload-Status"
	headerUploadReceived    = "X-Goog-Upload-Size-Received"
	headerUploadGranularity = "X-Goog-Upload-Chunk-Granularity"
)

// uploadGranularity is 8 MiB. The size of a chunk should be a multiple of it. The server accepts
// other sizes too.
const uploadGranularity = "8388608"

// UploadFile stores a file: whole, after its description, or in pieces.
func (a *api) UploadFile(w http.ResponseWriter, r *http.Request,
	params geminiapi.UploadFileParams) {
	command := jsonx.Deref(params.XGoogUploadCommand)
	switch {
	case params.UploadID != nil:
		a.continueUpload(w, r, params)
	case !strings.HasPrefix(r.URL.Path, "/upload/"):
		refuse(w, r, refusal.InvalidArgument()) // a description without content is not a file
	case command == "start":
		a.startUpload(w, r, params)
	default:
		a.uploadAtOnce(w, r)
	}
}

// startUpload opens an upload in pieces and returns the address for them.
func (a *api) startUpload(w http.ResponseWriter, r *http.Request,
	params geminiapi.UploadFileParams) {
	body, why := bodyOf[geminiapi.CreateFileRequest](received.From(r))
	if why != nil {
		refuse(w, r, why)
		return
	}
	meta := jsonx.Deref(body.File)
	if params.XGoogUploadHeaderContentType != nil {
		meta.MIMEType = params.XGoogUploadHeaderContentType
	}
	if why := a.checkFile(&meta); why != nil {
		refuse(w, r, why)
		return
	}
	size := int64(-1)
	if params.XGoogUploadHeaderContentLength != nil {
		var err error
		if size, err = strconv.ParseInt(*params.XGoogUploadHeaderContentLength, 10,
			64); err != nil || size < 0 || size > filestore.MaxSize {
			refuse(w, r, refusal.InvalidArgument())
			return
		}
	}
	upload := a.files.Begin(meta, size)
	w.Header().Set(headerUploadURL,
		addressOf(r)+r.URL.Path+"?upload_id="+upload.ID+"&upload_protocol=resumable")
	w.Header().Set(headerUploadGranularity, uploadGranularity)
	w.Header().Set(headerUploadStatus, "active")
	framing.WriteMedia(w, "text/plain; charset=utf-8", nil)
}

// fileID is the form of the ids of files.
var fileID = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$`)

// checkFile returns why the server refuses the description of a new file.
func (a *api) checkFile(meta *geminiapi.File) *refusal.Refusal {
	name := jsonx.Deref(meta.Name)
	id := strings.TrimPrefix(name, "files/")
	switch {
	case len(meta.Unknown) > 0:
		return refusal.UnknownMembers(meta.Unknown)
	case name != "" && !fileID.MatchString(id):
		return refusal.FileIDOfOtherForm()
	case a.files.Has(id):
		return refusal.FileExists(id)
	default:
		return nil
	}
}

// continueUpload executes a command of an upload in pieces.
func (a *api) continueUpload(w http.ResponseWriter, r *http.Request,
	params geminiapi.UploadFileParams) {
	upload, ok := a.files.Upload(*params.UploadID)
	if !ok {
		refuseUpload(w, http.StatusNotFound, "Not Found")
		return
	}
	var err error
	switch command := jsonx.Deref(params.XGoogUploadCommand); command {
	case "query":
	case "cancel":
		upload.Cancel()
	case "upload", "finalize", "upload, finalize", "upload,finalize":
		offset, parseErr := strconv.ParseInt(jsonx.Deref(params.XGoogUploadOffset), 10, 64)
		if parseErr != nil {
			offset, _, _ = upload.State()
		}
		err = a.files.Append(upload, offset, received.From(r).Body,
			strings.HasSuffix(command, "finalize"))
	default:
		err = errors.New("unknown upload command")
	}
	if err != nil {
		refuseUpload(w, http.StatusBadRequest, err.Error())
		return
	}
	a.writeUpload(w, r, upload)
}

// writeUpload reports the state of an upload, and the file when it is complete.
func (a *api) writeUpload(w http.ResponseWriter, r *http.Request, upload *filestore.Upload) {
	size, file, isCancelled := upload.State()
	w.Header().Set(headerUploadReceived, strconv.FormatInt(size, 10))
	switch {
	case file != nil:
		w.Header().Set(headerUploadStatus, "final")
		writeCreated(w, r, file)
	case isCancelled:
		w.Header().Set(headerUploadStatus, "cancelled")
		framing.WriteMedia(w, "text/plain; charset=utf-8", nil)
	default:
		w.Header().Set(headerUploadStatus, "active")
		framing.WriteMedia(w, "text/plain; charset=utf-8", nil)
	}
}

// writeCreated answers with an uploaded file.
func writeCreated(w http.ResponseWriter, r *http.Request, file *filestore.File) {
	writeResource(w, framing.Object([]framing.Member{{Name: "file", Value: filePayload(r, file)}}))
}

// refuseUpload refuses like the media servers, in plain text. The words are not recorded.
func refuseUpload(w http.ResponseWriter, status int, text string) {
	w.Header().Set(headerUploadStatus, "final")
	http.Error(w, text, status)
}

// uploadAtOnce stores the file of one request: the body, or its second part after the description.
func (a *api) uploadAtOnce(w http.ResponseWriter, r *http.Request) {
	mediaType, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	meta, content := geminiapi.File{MIMEType: &mediaType}, []byte(received.From(r).Body)
	if err == nil && mediaType == "multipart/related" {
		meta, content, err = readRelated(content, parameters["boundary"])
	}
	if err != nil {
		refuse(w, r, refusal.InvalidArgument())
		return
	}
	why := a.checkFile(&meta)
	if why == nil && !a.files.Fits(len(content)) {
		why = refusal.Exhausted()
	}
	if why != nil {
		refuse(w, r, why)
		return
	}
	writeCreated(w, r, a.files.Add(meta, content))
}

var errParts = errors.New("a body of two parts was expected")

// readRelated reads the description of a file and the file itself.
func readRelated(body []byte, boundary string) (meta geminiapi.File, content []byte, err error) {
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	description, err := parts.NextPart()
	if err != nil {
		return meta, nil, errParts
	}
	data, err := io.ReadAll(description)
	if err != nil {
		return meta, nil, err
	}
	request, err := gemini.Decode[geminiapi.CreateFileRequest](data)
	if err != nil {
		return meta, nil, err
	}
	media, err := parts.NextPart()
	if err != nil {
		return meta, nil, errParts
	}
	meta = jsonx.Deref(request.File)
	if mimeType := media.Header.Get("Content-Type"); mimeType != "" {
		meta.MIMEType = &mimeType
	}
	content, err = io.ReadAll(media)
	return meta, content, err
}
