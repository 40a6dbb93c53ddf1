package engine

import (
	"errors"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
)

func TestAReplyOfTheLeaderIsAMessageOrTheReasonWhyThereIsNone(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reply string
		is    error
		code  jetstream.ErrorCode // of the error, or 0
	}{
		"a message that does not exist": {`{"error":{"code":404,"err_code":10037}}`,
			jetstream.ErrMsgNotFound, jetstream.JSErrCodeMessageNotFound},
		"another error": {`{"error":{"code":503,"err_code":10008}}`, nil, codeNotAvailable},
		"nothing":       {`{}`, jetstream.ErrInvalidJetStreamResponse, 0},
		"a header that is cut": {`{"message":{"subject":"a","hdrs":"TkFU"}}`,
			nil, 0},
	} {
		var answer lastMessage
		if err := json.Unmarshal([]byte(tt.reply), &answer); err != nil {
			t.Fatal(err)
		}
		_, err := answer.message()
		if err == nil || tt.is != nil && !errors.Is(err, tt.is) || apiCode(err) != tt.code {
			t.Errorf("%s: %v with the code %d, want %d", name, err, apiCode(err), tt.code)
		}
		if IsNotFound(err) != (tt.is == jetstream.ErrMsgNotFound) {
			t.Errorf("%s: not found is %v", name, IsNotFound(err))
		}
	}
	for name, tt := range map[string]struct{ header, value string }{
		"a message with a header": {`"TkFUUy8xLjANCktpbmQ6IG9uZQ0KDQo="`, "one"},
		"a message without":       {`null`, ""},
	} {
		var answer lastMessage
		if err := json.Unmarshal([]byte(`{"message":{"subject":"a","seq":7,"data":"eA==","hdrs":`+
			tt.header+`}}`), &answer); err != nil {
			t.Fatal(err)
		}
		found, err := answer.message()
		if err != nil || found.Subject != "a" || found.Sequence != 7 ||
			string(found.Data) != "x" || found.Header.Get("Kind") != tt.value {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}
