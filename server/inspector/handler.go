package inspector

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
)

// routes returns the page and its API.
func (i *Inspector) routes() http.Handler {
	mux := http.NewServeMux()
	for _, path := range pagePaths {
		mux.HandleFunc("GET "+path, i.page)
	}
	for path, asset := range assets {
		mux.HandleFunc("GET "+path, asset.serve)
	}
	mux.HandleFunc("GET /api/events", i.withSession(i.events))
	mux.HandleFunc("GET /api/exchanges/{number}", i.withSession(i.exchange))
	mux.HandleFunc("GET /api/exchanges/{number}/curl/{side}", i.withSession(i.curl))
	mux.HandleFunc("GET /api/exchanges/{number}/fixture", i.withSession(i.fixture))
	mux.HandleFunc("GET /api/exchanges/{number}/har", i.withSession(i.har))
	mux.HandleFunc("GET /api/jobs", i.withSession(i.jobList))
	mux.HandleFunc("GET /api/jobs/{id}/failures", i.withSession(i.jobFailures))
	mux.HandleFunc("GET /api/har", i.withSession(i.harOfAll))
	mux.HandleFunc("POST /api/exchanges/{number}/replay", i.withSession(changing(i.replayExchange)))
	mux.HandleFunc("POST /api/bodies", i.withSession(changing(i.switchBodies)))
	mux.HandleFunc("GET /api/session", i.withSession(i.exportSession))
	mux.HandleFunc("POST /api/session",
		i.withSession(changingUpTo(max(maxChange, 2*i.maxBytes), i.importSession)))
	mux.HandleFunc("POST /api/exchanges/{number}/pin", i.withSession(changing(i.pinExchange)))
	mux.HandleFunc("GET /api/media/{sum}", i.withSession(i.medium))
	mux.HandleFunc("POST /api/clear", i.withSession(changing(i.clear)))
	mux.HandleFunc("POST /api/links", i.withSession(changing(i.link)))
	i.understandingRoutes(mux)
	return i.guarded(mux)
}

// exchange answers with the complete record of an exchange.
func (i *Inspector) exchange(w http.ResponseWriter, r *http.Request) {
	kept, ok := i.kept(w, r)
	if !ok {
		return
	}
	d := kept.detail(i.store.groups)
	d.CanReplay = i.replay != nil
	d.Notes = notes(&kept)
	if reason := i.whyNoReplay(); reason != "" && d.Notes["replay"] == "" {
		d.Notes["replay"] = reason
	}
	writeJSON(w, http.StatusOK, d)
}

// notes returns why an exchange cannot be copied or saved in a format.
func notes(r *record) map[string]string {
	notes := map[string]string{}
	for name, make := range map[string]func(*record) error{
		"curl/client":   func(r *record) error { _, err := clientCurl(r, ""); return err },
		"curl/upstream": func(r *record) error { _, err := upstreamCurl(r); return err },
		"fixture":       func(r *record) error { _, err := fixtureOf(r); return err },
		"replay":        func(r *record) error { _, err := replayBody(r); return err },
	} {
		if err := make(r); err != nil {
			reason := err.Error() // all reasons begin with an ASCII letter
			notes[name] = strings.ToUpper(reason[:1]) + reason[1:]
		}
	}
	return notes
}

// switchBodies turns the recording of bodies on or off for new exchanges.
func (i *Inspector) switchBodies(w http.ResponseWriter, r *http.Request) {
	var want struct {
		Keep bool `json:"keep"`
	}
	if !readJSON(w, r, &want) {
		return
	}
	i.store.keepBodies(want.Keep)
	w.WriteHeader(http.StatusNoContent)
}

// clear removes all exchanges, or all that are not pinned.
func (i *Inspector) clear(w http.ResponseWriter, r *http.Request) {
	var want struct {
		KeepPinned bool `json:"keepPinned"`
	}
	if !readJSON(w, r, &want) {
		return
	}
	i.store.clear(want.KeepPinned)
	i.cancelDropped()
	i.saveState()
	w.WriteHeader(http.StatusNoContent)
}

// link answers with a link that opens the page in another browser, once.
func (i *Inspector) link(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, struct {
		URL string `json:"url"`
	}{i.URL(r.Host)})
}

// kept returns the exchange in a path, or answers that it does not exist.
func (i *Inspector) kept(w http.ResponseWriter, r *http.Request) (record, bool) {
	number, ok := i.numberOf(w, r)
	if !ok {
		return record{}, false
	}
	kept, ok := i.store.snapshot(r.Context(), number)
	if !ok {
		i.refuseMissing(w, number)
	}
	return kept, ok
}

// numberOf returns the number of the exchange in a path, which has a number or a request id. It
// answers that the exchange was dropped if no exchange has the id.
func (i *Inspector) numberOf(w http.ResponseWriter, r *http.Request) (int, bool) {
	name := r.PathValue("number")
	number, err := strconv.Atoi(name)
	if err != nil {
		number = i.store.findRequest(name)
	}
	if number <= 0 {
		refuseDropped(w)
	}
	return number, number > 0
}

// refuseMissing answers that no exchange has a number, and whether one had it.
func (i *Inspector) refuseMissing(w http.ResponseWriter, number int) {
	if number >= i.store.nextNumber() {
		refuse(w, http.StatusNotFound, "no request has the number "+strconv.Itoa(number)+" yet")
		return
	}
	refuseDropped(w)
}

// refuseDropped answers that an exchange does not exist, or no longer.
func refuseDropped(w http.ResponseWriter) {
	writeJSON(w, http.StatusNotFound, struct {
		Error   string `json:"error"`
		Dropped bool   `json:"dropped"`
	}{"this exchange was dropped", true})
}

// refuse answers with an error, in JSON.
func refuse(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, struct {
		Error string `json:"error"`
	}{message})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	data, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		http.Error(w, "the answer cannot be encoded as JSON", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

// readJSON reads the body of a request, or answers that it cannot be read.
func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	return readAnyJSON(w, r, into, json.RejectUnknownMembers(true))
}

// readAnyJSON does the same with other options.
func readAnyJSON(w http.ResponseWriter, r *http.Request, into any, opts ...json.Options) bool {
	err := json.UnmarshalRead(r.Body, into, opts...)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(w, http.StatusRequestEntityTooLarge, "the body is too large")
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body is not valid")
	}
	return err == nil
}

// download answers with a file.
func download(w http.ResponseWriter, name, mediaType string, data []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, _ = w.Write(data)
}
