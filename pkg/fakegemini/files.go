package fakegemini

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/loopback"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/filestore"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/go-json-experiment/json/jsontext"
)

// fileOrder is the order of the members of a file in recorded answers.
var fileOrder = []string{
	"name", "displayName", "mimeType", "sizeBytes", "createTime", "updateTime", "expirationTime",
	"sha256Hash", "uri",
	"downloadUri", "state", "source", "error", "videoMetadata",
}

// filePayload returns the description of a file. Its address has the version v1beta, for any
// version of the request.
func filePayload(r *http.Request, file *filestore.File) jsontext.Value {
	return payloadOf(file.Describe(addressOf(r)+"/v1beta/"), fileOrder)
}

// addressOf returns the address under which the client reached the server. After a proxy and in
// memory the server cannot see whether that was https. It then assumes https, except for this
// machine.
func addressOf(r *http.Request) string {
	scheme := "https"
	if r.TLS == nil && loopback.IsAddress(r.Host) {
		scheme = "http"
	}
	return scheme + "://" + r.Host
}

// The page sizes of a list of files.
const (
	defaultFilePage = 10
	maxFilePage     = 100
)

// ListFiles lists the files.
func (a *api) ListFiles(w http.ResponseWriter, r *http.Request, params geminiapi.ListFilesParams) {
	page := pageOf(params.PageSize, params.PageToken, defaultFilePage, maxFilePage)
	writeFound(w, r, "files", foundOf(a.files.List(page)),
		func(f *filestore.File) jsontext.Value { return filePayload(r, f) })
}

// GetFile describes a file.
func (a *api) GetFile(w http.ResponseWriter, r *http.Request, id geminiapi.FileID) {
	file, ok := a.files.Get(id)
	if !ok {
		refuse(w, r, refusal.NoSuchFile(id))
		return
	}
	writeResource(w, filePayload(r, file))
}

// DeleteFile deletes a file.
func (a *api) DeleteFile(w http.ResponseWriter, r *http.Request, id geminiapi.FileID) {
	if !a.files.Delete(id) {
		refuse(w, r, refusal.NoSuchFile(id))
		return
	}
	writeEmpty(w)
}

// DownloadFile redirects to the address of the bytes of a generated file, and serves them there, as
// recorded.
func (a *api) DownloadFile(w http.ResponseWriter, r *http.Request, id geminiapi.FileID,
	_ geminiapi.DownloadFileParams) {
	file, ok := a.files.Get(id)
	switch {
	case !ok:
		refuse(w, r, refusal.NoSuchFile(id))
	case !file.IsGenerated:
		refuse(w, r, refusal.FileNotDownloadable())
	case strings.HasPrefix(r.URL.Path, "/download/"):
		framing.WriteMedia(w, file.MIMEType(), file.Content)
	default:
		w.Header().Set("Location", addressOf(r)+"/download"+r.URL.RequestURI())
		refuse(w, r, &refusal.Refusal{HTTPStatus: http.StatusFound,
			Status: geminiapi.ErrorStatusUnknown, Message: "Unknown Error."})
	}
}

// checkFileUse returns why a request cannot use the files of this server that it names.
func (a *api) checkFileUse(content *geminiapi.GenerateContentRequest) *refusal.Refusal {
	for _, turn := range content.Contents {
		for _, part := range turn.Parts {
			id, ok := fileIn(jsonx.Deref(jsonx.Deref(part.FileData).FileURI))
			if !ok {
				continue
			}
			file, ok := a.files.Get(id)
			switch {
			case !ok:
				return refusal.NoSuchFile(id)
			case !file.IsActive():
				return refusal.FileNotActive(id)
			}
		}
	}
	return nil
}

// fileIn returns the id of the file of this server that an address names. The address is one of
// Google's or of this machine.
func fileIn(address string) (id string, ok bool) {
	uri, err := url.Parse(address)
	if err != nil || uri.Host != "generativelanguage.googleapis.com" &&
		!loopback.IsAddress(uri.Host) {
		return "", false
	}
	version, id, ok := strings.Cut(strings.TrimPrefix(uri.Path, "/"), "/files/")
	return id, ok && !strings.Contains(version, "/") && !strings.Contains(id, "/")
}
