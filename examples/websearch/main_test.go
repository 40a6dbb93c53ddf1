package main

// The output of the example, which the README shows.
func Example() {
	main()
	// Output:
	// declared: web_search_google
	// searched for: lisbon weather
	// call-1 answered: {"success":true,"results":[{"title":"Lisbon, hour by hour","url":"https://weather.example/lisbon","snippet":"Sunny, 24 degrees, light wind from the north."}],"count":1}
	// turns of the next request: 3
}
