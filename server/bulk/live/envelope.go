package live

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// fail makes the reply one that did not come from the model, in the words of the line's API.
func (a *reply) fail(status int, message string) {
	a.isCut, a.status, a.message = true, status, message
	a.body = errorBody(a.url, status, message)
}

// errorBody returns the error of an API, which is known by its path.
func errorBody(url string, status int, message string) jsontext.Value {
	quoted, err := jsontext.AppendQuote(nil, message)
	if err != nil { // of a text that is UTF-8
		quoted = []byte(`""`)
	}
	kind := "server_error"
	if status < http.StatusInternalServerError {
		kind = "invalid_request_error"
	}
	switch {
	case strings.HasPrefix(url, "/v1/messages"):
		return jsontext.Value(`{"type":"error","error":{"type":"api_error","message":` + string(quoted) + `}}`)
	case strings.HasPrefix(url, "/v1/"):
		return jsontext.Value(`{"error":{"message":` + string(quoted) + `,"type":"` + kind + `","param":null,"code":null}}`)
	default:
		return jsontext.Value(`{"error":{"code":` + strconv.Itoa(status) + `,"message":` + string(quoted) + `,"status":"INTERNAL"}}`)
	}
}

func isJSON(body []byte) bool { return jsontext.Value(body).IsValid() }
