package geminitest_test

import (
	"context"
	"fmt"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

// An example is not a test, so this one starts the server like a program. In a test, use
// geminitest.NewServer(t, option).
func ExampleWithCassette() {
	server, err := fakegemini.Start(geminitest.WithCassette("testdata/weather.yaml",
		geminitest.Replay))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client, err := server.NewClient()
	if err != nil {
		fmt.Println(err)
		return
	}

	answer, err := tellWeather(context.Background(), client, "How is the weather in Porto?")
	fmt.Println(answer, err)
	_, err = tellWeather(context.Background(), client, "And in Lisbon?")
	fmt.Println(gemini.CategoryOf(err))
	// Output:
	// It has 21 degrees in Porto. <nil>
	// invalid_arg
}
