package main

import (
	"context"
	"fmt"
	"log"
	"os"
)

// recorded is an agent that answers from a file.
type recorded string

func (file recorded) Invoke(context.Context, string) (string, error) {
	answer, err := os.ReadFile(string(file))
	return string(answer), err
}

func ExamplePrioritize() {
	features := []PRD{
		{ID: "dashboard", Title: "Dashboard", DependsOn: []string{"auth"}, Content: "An overview of everything."},
		{ID: "auth", Title: "User accounts", Content: "People sign in and out."},
	}
	result, err := Prioritize(context.Background(), recorded("answer.md"), features, nil,
		DefaultOptions())
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range result.Recommendations {
		fmt.Printf("%d. %s: %s\n", r.Priority, r.Title, r.Reasoning)
	}
	// Output:
	// 1. User accounts: Every page needs to know {who} is there.
	// 2. Dashboard: It shows what belongs to an account.
}

func ExampleParsePriorityResponse() {
	_, err := ParsePriorityResponse("Sure:\n```json\n" +
		`{"recommendations": [{"prd_id": "auth", "title": "User accounts", "priority": "high"}]}` +
		"\n```")
	fmt.Println(err)
	// Output:
	// failed to parse JSON: structured: /recommendations/0/priority: line 3, column 79 (offset 92): expected a whole number, found "high"
}
