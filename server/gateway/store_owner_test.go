package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

func TestAConversationNeedsAKeyIfTheCallersKeyIsUsed(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithCallersKey(),
		gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{})))
	const path = "/v1/conversations"
	if answer := post(handler, path, `{}`); answer.Code != http.StatusUnauthorized {
		t.Errorf("without a key: HTTP %d: %s", answer.Code, answer.Body)
	}
	if answer := post(handler, path, `{}`, "Authorization", "Bearer key"); answer.Code !=
		http.StatusOK {
		t.Errorf("with a key: HTTP %d: %s", answer.Code, answer.Body)
	}
}

func TestAClientNeverRemovesDataOfAnotherOne(t *testing.T) {
	t.Parallel()
	store := responsestore.NewMemory(responsestore.Bounds{Count: 3, Bytes: 1 << 20})
	handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithCallersKey(),
		gateway.WithResponseStore(store))
	response, err := responses.DecodeResponse(post(handler, responsesPath,
		`{"model":"gemini-3.6-flash","input":"x"}`, "Authorization", "Bearer alice").Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	large := strings.Repeat("x", 100_000)
	for range 20 {
		post(handler, "/v1/conversations", fmt.Sprintf(`{"items":[{"type":"message","role":"user","content":%q}]}`, large),
			"Authorization", "Bearer bob")
	}
	if answer := do(handler, http.MethodGet, responsesPath+"/"+response.ID, "Authorization",
		"Bearer alice"); answer.Code != http.StatusOK {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
}

// failingStore is a store whose writes and reads fail.
type failingStore struct {
	responsestore.Store
	err error
}

func (b failingStore) Put(context.Context, responsestore.Owner, ...responsestore.Write) error {
	return b.err
}

func (b failingStore) Get(context.Context, responsestore.Owner, string) (*responsestore.Document, error) {
	return nil, b.err
}

func TestAStoreThatFailsIsReportedAndTheRestIsAnswered(t *testing.T) {
	t.Parallel()
	for want, test := range map[string]struct {
		err    error
		status int
	}{
		"is not available":             {responsestore.ErrUnavailable, http.StatusServiceUnavailable},
		"store of the gateway is full": {responsestore.ErrFull, http.StatusServiceUnavailable},
		"larger_than_store":            {responsestore.ErrTooLarge, http.StatusRequestEntityTooLarge},
		"store_failed":                 {errors.New("broken"), http.StatusInternalServerError},
	} {
		store := failingStore{responsestore.NewMemory(responsestore.Bounds{}), test.err}
		handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithResponseStore(store))
		answer := post(handler, "/v1/conversations", `{}`)
		if answer.Code != test.status || !strings.Contains(answer.Body.String(), want) {
			t.Errorf("a conversation: HTTP %d: %s; want %d %s", answer.Code, answer.Body,
				test.status, want)
		}
		for path, body := range map[string]string{
			chatPath:      `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"x"}]}`,
			responsesPath: `{"model":"gemini-3.6-flash","input":"x","store":false}`,
		} {
			if answer := post(handler, path, body); answer.Code != http.StatusOK {
				t.Errorf("%s: HTTP %d: %s", path, answer.Code, answer.Body)
			}
		}
	}
}
