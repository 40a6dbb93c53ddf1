package structured_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/structured"
)

// fakeModel returns a client of a server that answers by a script. Outside of an example:
// gemini.NewClient().
func fakeModel(fixture *fakegemini.Fixture) (client *gemini.Client, stop func()) {
	server, err := fakegemini.Start(fakegemini.WithScript(fixture))
	if err != nil {
		log.Fatal(err)
	}
	client, err = server.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	return client, server.Close
}

func ExampleGenerate() {
	client, stop := fakeModel(fakegemini.On().
		Reply(fakegemini.Text(`{"verdict": "maybe", "reasons": ["It depends."]}`)).
		Reply(fakegemini.Text(`{"verdict": "revise", "reasons": ["No tests."]}`)))
	defer stop()

	type Review struct {
		Verdict string   `json:"verdict" validate:"oneof=accept revise"`
		Reasons []string `json:"reasons" validate:"min=1"`
	}
	review, err := structured.Generate[Review](context.Background(), client,
		&geminiapi.GenerateContentRequest{
			Model:    new("gemini-3.6-flash"),
			Contents: []geminiapi.Content{gemini.UserText("Review this change: ...")},
		}, structured.WithTry(func(try structured.Try) {
			if try.Err != nil {
				fmt.Println(try.Err) // the next request contains this error
			}
		}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(review.Value.Verdict, review.Value.Reasons, "after", review.Try, "tries")
	// Output:
	// structured: invalid: /verdict: line 1, column 13 (offset 12): must be one of accept, revise, found "maybe"
	// revise [No tests.] after 2 tries
}

func ExampleGenerateStream() {
	client, stop := fakeModel(fakegemini.On().Reply(fakegemini.Text(`{"title": "A walk in Porto",`,
		` "stops": ["the river",`, ` "the tower"]}`)))
	defer stop()

	type Tour struct {
		Title string   `json:"title"`
		Stops []string `json:"stops"`
	}
	for tour, err := range structured.GenerateStream[Tour](context.Background(), client,
		&geminiapi.GenerateContentRequest{
			Model:    new("gemini-3.6-flash"),
			Contents: []geminiapi.Content{gemini.UserText("Plan a walk.")},
		}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v %q %q\n", tour.Complete, tour.Value.Title, tour.Value.Stops)
	}
	// Output:
	// false "A walk in Porto" []
	// false "A walk in Porto" ["the river"]
	// false "A walk in Porto" ["the river" "the tower"]
	// true "A walk in Porto" ["the river" "the tower"]
}
