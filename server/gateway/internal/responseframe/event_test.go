package responseframe_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/responseframe"
)

func TestARequestIsTheMessageWithoutItsOwnMembers(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		`{"type":"response.create"}`:                                                                     `{"stream":true}`,
		`{"type":"response.create","model":"m"}`:                                                         `{"model":"m","stream":true}`,
		`{"model":"m","type":"response.create"}`:                                                         `{"model":"m","stream":true}`,
		` { "a" : 1 , "type" : "response.create" , "b" : [ 2 ] } `:                                       `{"a" : 1,"b" : [ 2 ],"stream":true}`,
		`{"a":1,"b":2,"type":"response.create","stream_id":"x","c":3,"d":{}}`:                            `{"a":1,"b":2,"c":3,"d":{},"stream":true}`,
		`{"stream":false,"stream_options":{},"generate":true,"a":{"type":"x"},"type":"response.create"}`: `{"a":{"type":"x"},"stream":true}`,
		`{"typ\u0065":"response.create","\u0061":1}`:                                                     `{"\u0061":1,"stream":true}`,
	} {
		event, err := responseframe.Parse([]byte(message))
		if err != nil {
			t.Errorf("%s: %v", message, err)
			continue
		}
		if string(event.Body) != want {
			t.Errorf("%s: %s, want %s", message, event.Body, want)
		}
	}
}

func TestTheMembersOfAnEventAreRead(t *testing.T) {
	t.Parallel()
	event, err := responseframe.Parse([]byte(`{"type":"response.create","stream_id":"a.b-c_1",` +
		`"generate":false,"background":true,"previous_response_id":"resp_1"}`))
	if err != nil {
		t.Fatal(err)
	}
	if event.Lane != "a.b-c_1" || !event.HasLane || !event.IsWarmUp || !event.IsBackground ||
		event.PreviousResponseID != "resp_1" {
		t.Errorf("%+v", event)
	}
}

func TestARefusalNamesItsLaneOnlyIfThatIsValid(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		`{"type":"response.cancel","stream_id":"a"}`: "a",
		`{"type":"response.create","stream_id":" "}`: "",
	} {
		_, err := responseframe.Parse([]byte(message))
		refused, ok := errors.AsType[*responseframe.Refusal](err)
		if !ok || refused.Lane != want {
			t.Errorf("%s: %+v", message, err)
		}
	}
}

func TestAnErrorFrameAlwaysHasAStatusACodeAndAMessage(t *testing.T) {
	t.Parallel()
	header := http.Header{"Retry-After": {"7"}, "Set-Cookie": {"secret"}}
	for body, want := range map[string]string{
		`{"error":{"message":"m","type":"t","code":"c","param":"p"}}`: "c",
		`{"error":{"message":"m","type":"t","code":null}}`:            "t",
		`{"error":{"message":"m"}}`:                                   "server_error",
		`{}`:                                                          "server_error",
		`<html>`:                                                      "server_error",
	} {
		text := responseframe.Error(503, header, []byte(body), "lane")
		var frame struct {
			Type    string
			Status  int
			Error   struct{ Code, Message string }
			Headers map[string]string
			Lane    string `json:"stream_id"`
		}
		if err := json.Unmarshal(text, &frame); err != nil {
			t.Fatal(err)
		}
		if frame.Type != "error" || frame.Status != 503 || frame.Error.Code != want ||
			frame.Error.Message == "" || frame.Headers["retry-after"] != "7" ||
			len(frame.Headers) != 1 || frame.Lane != "lane" {
			t.Errorf("%s: %s", body, text)
		}
	}
}

// A message of any bytes is an event with a request in JSON, or a refusal in JSON.
func FuzzAnyMessageIsAnEventOrARefusal(f *testing.F) {
	for _, seed := range []string{`{"type":"response.create","model":"m","input":"x"}`,
		`{"type":"response.steer","input":[]}`, `{"type":"response.inject","response_id":"r"}`,
		`{"stream_id":"a","type":"response.create","generate":false}`, `{"a":1,"type":`, "\xff{}",
		`{"type":"response.create","a":"` + "\xff" + `"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		event, err := responseframe.Parse(message)
		answer := []byte("{}")
		switch refused, isRefused := errors.AsType[*responseframe.Refusal](err); {
		case isRefused:
			answer = responseframe.Refused(refused)
			if !strings.Contains(string(answer), `"status":400`) {
				t.Errorf("%s", answer)
			}
		case err != nil:
			t.Fatal(err)
		case event.Type == responseframe.TypeSteer:
			answer = responseframe.NotSteered(event, "steer_1")
		case event.Type == responseframe.TypeInject:
			answer = responseframe.NotInjected(event)
		case event.Type == responseframe.TypeCreate:
			answer = event.Body
		}
		if !json.Valid(answer) {
			t.Errorf("%q", answer)
		}
	})
}
