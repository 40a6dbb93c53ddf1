package gateway_test

import (
	"net/http"
	"slices"
	"testing"

	goopenai "github.com/sashabaranov/go-openai"
)

func TestOpenAIGoListsModels(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{}, "--alias", "gpt-4o="+model))
	seen := map[string]int{}
	for pages := client.Models.ListAutoPaging(t.Context()); pages.Next(); {
		seen[pages.Current().ID]++
	}
	if seen[model] != 1 || seen["gpt-4o"] != 1 {
		t.Errorf("listed are %v", seen)
	}
	got, err := client.Models.Get(t.Context(), model)
	check(t, err)
	if got.ID != model {
		t.Errorf("got %s", got.RawJSON())
	}
	_, err = client.Models.Get(t.Context(), "gemmini-9")
	refused(t, err, http.StatusNotFound, "model_not_found", "")
}

func TestGoOpenAIListsModels(t *testing.T) {
	t.Parallel()
	client := connectGoOpenAI(serve(t, upstream{}), "any")
	list, err := client.ListModels(t.Context())
	check(t, err)
	if !slices.ContainsFunc(list.Models, func(m goopenai.Model) bool { return m.ID == model }) {
		t.Errorf("listed are %v", list.Models)
	}
	got, err := client.GetModel(t.Context(), model)
	check(t, err)
	if got.ID != model {
		t.Errorf("got %+v", got)
	}
}
