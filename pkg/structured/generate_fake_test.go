package structured_test

import (
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/structured"
)

// plan uses most features of a schema.
type plan struct {
	Title    string            `json:"title" validate:"required,max=60"`
	Priority int               `json:"priority" validate:"gte=1,lte=5"`
	Share    float64           `json:"share" validate:"gt=0,lte=1"`
	State    string            `json:"state" validate:"oneof=open done"`
	Due      time.Time         `json:"due"`
	Steps    []step            `json:"steps" validate:"min=1,max=3,dive"`
	Labels   map[string]string `json:"labels,omitempty"`
	Parent   *plan             `json:"parent,omitempty"`
}

type step struct {
	Name string `json:"name" validate:"required"`
	Done *bool  `json:"done"`
}

// This uses the real server's checks of schemas, and answers that satisfy the schemas.
func TestGenerateWithTheRealClientAndTheFakeServer(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"gemini-3.6-flash", "gemini-2.5-flash"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t)
			client := server.Client()
			request := &geminiapi.GenerateContentRequest{Model: &model,
				Contents: []geminiapi.Content{gemini.UserText("Plan a week.")}}
			answer, err := structured.Generate[plan](t.Context(), client, request)
			if err != nil {
				t.Fatal(err)
			}
			if answer.Try != 1 || len(answer.Value.Steps) == 0 || answer.Usage == nil {
				t.Errorf("%+v", answer)
			}
			var last *structured.Answer[plan]
			for answer, err := range structured.GenerateStream[plan](t.Context(), client, request) {
				if err != nil {
					t.Fatal(err)
				}
				last = answer
			}
			if !last.Complete || last.Value.Title != answer.Value.Title {
				t.Errorf("%+v", last)
			}
			for _, sent := range server.Requests() {
				if store := sent.Content.Store; store == nil || *store {
					t.Errorf("the request does not say store: false: %s", sent.Body)
				}
			}
		})
	}
}
