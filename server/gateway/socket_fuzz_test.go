package gateway_test

import (
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"
)

// FuzzAnyFrameIsAnswered sends any text to a gateway with the embedded server. Each answer must be
// JSON with a type, and an error must have a status and a code. After it a request is answered.
func FuzzAnyFrameIsAnswered(f *testing.F) {
	handler := newGateway(f)
	server := httptest.NewServer(handler)
	f.Cleanup(server.Close)
	for _, message := range []string{creating("hello", ""), creating("x", `,"stream_id":"a"`),
		creating("x", `,"generate":false`), creating("x", `,"previous_response_id":"resp_1"`),
		creating("x", `,"tools":[{"type":"function"}]`), `{"type":"response.steer","input":"x"}`,
		`{"type":"response.processed"}`, `{"type":"response.create","input":[{}]}`, `{`, "\xff"} {
		f.Add([]byte(message))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		client, _ := dialAt(t, t.Context(), server.Client(), server.URL)
		defer client.CloseNow()
		if err := client.Write(client.ctx, websocket.MessageText, message); err != nil {
			t.Fatal(err)
		}
		client.send(t, creating("the end", `,"stream_id":"end-of-the-test"`))
		for {
			got := client.next(t)
			if got.Type == "" || got.Type == "error" && (got.Status < 400 || got.Error.Code == "" ||
				got.Error.Message == "") {
				t.Fatalf("%q: %s", message, got.text)
			}
			if got.isTerminal() && got.Lane != nil && *got.Lane == "end-of-the-test" {
				return
			}
		}
	})
}
