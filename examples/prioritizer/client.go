package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"os"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// newClient returns a client of Google's, or without a key one of a fake server, which is closed by
// the function.
func newClient(stderr io.Writer) (client *gemini.Client, closeClient func(), err error) {
	if os.Getenv("GEMINI_API_KEY") != "" || os.Getenv("GOOGLE_API_KEY") != "" {
		client, err = gemini.NewClient()
		return client, func() {}, err
	}
	fmt.Fprintln(stderr, "no key in GEMINI_API_KEY: a fake server answers")
	fake, err := fakegemini.Start(fakegemini.WithScript(forSample))
	if err != nil {
		return nil, nil, err
	}
	client, err = fake.NewClient()
	return client, fake.Close, err
}

//go:embed answer.md
var sampleAnswer string

// forSample answers for the features that the program has with it: at first with an answer that is
// wrong, as models do. To other features the fake server answers itself, with words of no meaning
// in the form that was asked for.
var forSample = fakegemini.On(fakegemini.Where(isAboutSample)).
	Reply(fakegemini.Text(`{"recommendations": [{"prd_id": "auth", "priority": 0}], "dependency_graph": ""}`)).
	Reply(fakegemini.Text(sampleAnswer))

func isAboutSample(r *fakegemini.Request) bool {
	return bytes.Contains(r.Body, []byte(`ID: auth\nTitle: User accounts`))
}
