package framing

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
)

// setCommonHeaders sets the headers that every answer of the servers has. net/http sets the Date.
func setCommonHeaders(h http.Header) {
	h["Vary"] = []string{"Origin", "X-Origin", "Referer"}
	h.Set("Server", "scaffolding on HTTPServer2")
	h.Set("X-Xss-Protection", "0")
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("X-Content-Type-Options", "nosniff")
}

// WriteWhole writes a whole answer, or an error instead, with its headers.
func WriteWhole(w http.ResponseWriter, status int, payload jsontext.Value) error {
	body, err := AppendWhole(nil, payload)
	if err != nil {
		return err
	}
	return writeBody(w, status, "application/json; charset=UTF-8", body)
}

// WriteCompact writes a whole answer of the Interactions API, or an error instead. Its JSON has no
// white space.
func WriteCompact(w http.ResponseWriter, status int, payload jsontext.Value) error {
	return writeBody(w, status, "application/json; charset=UTF-8", payload)
}

func writeBody(w http.ResponseWriter, status int, contentType string, body []byte) error {
	setCommonHeaders(w.Header())
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, err := w.Write(body)
	return err
}

// WriteMedia writes a body that is not JSON.
func WriteMedia(w http.ResponseWriter, contentType string, body []byte) {
	_ = writeBody(w, http.StatusOK, contentType, body) // fails if the client has disconnected
}
