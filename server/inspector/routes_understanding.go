package inspector

import (
	"net/http"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/server/inspector/internal/search"
)

// understandingRoutes adds the routes that explain what was recorded.
func (i *Inspector) understandingRoutes(mux *http.ServeMux) {
	get := func(path string, handle http.HandlerFunc) {
		mux.HandleFunc("GET "+path, i.withSession(handle))
	}
	get("/api/exchanges/{number}/conversation", i.conversationView)
	get("/api/conversations/{id}", i.conversationGroup)
	get("/api/search", i.search)
	get("/api/search/words", i.searchWords)
	get("/api/overview", i.overview)
	get("/api/spend", i.spendList)
	get("/api/spend.csv", i.spendFile)
	get("/api/compare/{a}/{b}", i.compare)
	get("/api/replay/choices", i.replayChoices)
	mux.HandleFunc("POST /api/replays", i.withSession(changing(i.replayMany)))
}

// numberIn returns a number in a query, which is at least 0, or another one.
func numberIn(r *http.Request, name string, otherwise int) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil || n < 0 {
		return otherwise
	}
	return n
}

// since returns the time before which the query asks for nothing. The zero time is for everything.
func since(r *http.Request, now time.Time) (time.Time, bool) {
	text := r.URL.Query().Get("since")
	if text == "" {
		return time.Time{}, true
	}
	from, err := search.Time(text, now)
	return from, err == nil
}
