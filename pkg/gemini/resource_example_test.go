package gemini_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// fakeService returns a client of a fake server. Outside of examples, use gemini.NewClient().
func fakeService() (client *gemini.Client, stop func()) {
	fake, err := fakegemini.NewHandler()
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(fake)
	client, err = gemini.NewClient(gemini.WithAPIKey("any"), gemini.WithBaseURL(server.URL))
	if err != nil {
		log.Fatal(err)
	}
	return client, server.Close
}

func ExampleModels_List() {
	client, stop := fakeService()
	defer stop()

	for model, err := range client.Models.List(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		if strings.Contains(*model.Name, "embedding") {
			fmt.Println(*model.Name, *model.InputTokenLimit)
		}
	}
	// Output:
	// models/gemini-embedding-2 8192
	// models/gemini-embedding-001 2048
}

// Find the text that is nearest to a question, by the product of their vectors.
func ExampleClient_BatchEmbedContents() {
	client, stop := fakeService()
	defer stop()

	texts := []string{"The Rhine flows through Cologne.", "Bread needs flour and water.",
		"Which river flows through Cologne?"}
	var requests []geminiapi.EmbedContentRequest
	for _, text := range texts {
		requests = append(requests,
			geminiapi.EmbedContentRequest{Content: new(gemini.UserText(text)),
				OutputDimensionality: new(768)})
	}
	response, err := client.BatchEmbedContents(context.Background(),
		&geminiapi.BatchEmbedContentsRequest{Requests: requests},
		gemini.WithModel("gemini-embedding-2"))
	if err != nil {
		log.Fatal(err)
	}
	question := response.Embeddings[2].Values
	best, nearest := "", 0.0
	for i, text := range texts[:2] {
		product := 0.0
		for j, v := range response.Embeddings[i].Values {
			product += v * question[j]
		}
		if product > nearest {
			best, nearest = text, product
		}
	}
	fmt.Println(best)
	// Output: The Rhine flows through Cologne.
}

// Send a long text once and ask several questions about it.
func ExampleCachedContents_Create() {
	client, stop := fakeService()
	defer stop()
	ctx := context.Background()

	manual := strings.Repeat("Press the green button. ", 500)
	cached, err := client.CachedContents.Create(ctx, &geminiapi.CachedContent{
		Model:             new("gemini-3.6-flash"),
		SystemInstruction: gemini.SystemInstruction("Answer by the manual."),
		Contents:          []geminiapi.Content{gemini.UserText(manual)},
		TTL:               new("300s"),
	})
	if err != nil {
		log.Fatal(err)
	}
	response, err := client.GenerateContent(ctx, &geminiapi.GenerateContentRequest{
		Model:         cached.Model,
		CachedContent: cached.Name,
		Contents:      []geminiapi.Content{gemini.UserText("What do I press?")},
	})
	if err != nil {
		log.Fatal(err)
	}
	usage := response.UsageMetadata
	fmt.Println("cached:", *usage.CachedContentTokenCount == *cached.UsageMetadata.TotalTokenCount)
	fmt.Println("new tokens:", *usage.PromptTokenCount-*usage.CachedContentTokenCount)
	if err := client.CachedContents.Delete(ctx, *cached.Name); err != nil {
		log.Fatal(err)
	}
	// Output:
	// cached: true
	// new tokens: 5
}

// Upload a document of any size, with one chunk at a time in memory.
func ExampleFiles_Upload() {
	client, stop := fakeService()
	defer stop()
	ctx := context.Background()

	content := strings.NewReader("%PDF-1.7 ...") // or a file that is open
	file, err := client.Files.Upload(ctx, content, &geminiapi.File{DisplayName: new("Report")},
		gemini.WithWaitActive(),
		gemini.WithUploadProgress(func(sent,
			total int64) {
			fmt.Printf("%d of %d bytes\n", sent, total)
		}))
	if err != nil {
		log.Fatal(err)
	}
	response, err := client.GenerateContent(ctx, &geminiapi.GenerateContentRequest{
		Model: new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserParts(
			gemini.FileDataPart(*file.MIMEType, *file.URI),
			gemini.TextPart("What is this?"),
		)},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*response.Candidates[0].Content.Parts[0].Text)
	// Output:
	// 12 of 12 bytes
	// You said: What is this?
	// With it came application/pdf.
}

// Run many requests at a lower price. Requests may also be in a file, and then the results are too.
func ExampleBatches_Create() {
	client, stop := fakeService()
	defer stop()
	ctx := context.Background()

	var requests []geminiapi.InlinedRequest
	for _, city := range []string{"Paris", "Rome"} {
		requests = append(requests,
			geminiapi.InlinedRequest{Request: &geminiapi.GenerateContentRequest{
				Contents: []geminiapi.Content{gemini.UserText("Which country is " + city + " in?")},
			}})
	}
	batch, err := client.Batches.Create(ctx, &geminiapi.GenerateContentBatch{
		Model:       new("gemini-3.6-flash"),
		DisplayName: new("cities"),
		InputConfig: &geminiapi.BatchInputConfig{Requests: &geminiapi.InlinedRequests{Requests: requests}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*batch.Metadata.State)

	// Hours later:
	batch, err = client.Batches.Get(ctx, *batch.Name)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*batch.Metadata.State)
	for _, result := range batch.Response.InlinedResponses.InlinedResponses {
		if result.Error != nil {
			fmt.Println("failed:", *result.Error.Message)
			continue
		}
		fmt.Println(*result.Response.Candidates[0].Content.Parts[0].Text)
	}
	// Output:
	// BATCH_STATE_PENDING
	// BATCH_STATE_SUCCEEDED
	// You said: Which country is Paris in?
	// You said: Which country is Rome in?
}

// The results of a batch whose requests were in a file.
func ExampleFiles_Download() {
	client, stop := fakeService()
	defer stop()
	ctx := context.Background()

	line, err := gemini.Encode(&geminiapi.BatchRequestLine{Key: new("first"),
		Request: &geminiapi.GenerateContentRequest{
			Contents: []geminiapi.Content{gemini.UserText("Hello")},
		}})
	if err != nil {
		log.Fatal(err)
	}
	requests, err := client.Files.Upload(ctx, bytes.NewReader(line),
		&geminiapi.File{MIMEType: new("application/jsonl")})
	if err != nil {
		log.Fatal(err)
	}
	batch, err := client.Batches.Create(ctx, &geminiapi.GenerateContentBatch{
		Model:       new("gemini-3.6-flash"),
		InputConfig: &geminiapi.BatchInputConfig{FileName: requests.Name},
	})
	if err != nil {
		log.Fatal(err)
	}
	batch, err = client.Batches.Get(ctx, *batch.Name)
	if err != nil {
		log.Fatal(err)
	}
	var results bytes.Buffer
	if _, err := client.Files.Download(ctx, *batch.Response.ResponsesFile, &results); err != nil {
		log.Fatal(err)
	}
	for text := range bytes.Lines(results.Bytes()) {
		result, err := gemini.Decode[geminiapi.BatchResultLine](text)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(*result.Key, *result.Response.Candidates[0].Content.Parts[0].Text)
	}
	// Output: first You said: Hello
}
