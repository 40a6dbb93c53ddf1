package inspector

import "net/http"

func (i *Inspector) replayChoices(w http.ResponseWriter, _ *http.Request) {
	refuse(w, http.StatusNotFound, "not yet")
}

func (i *Inspector) replayMany(w http.ResponseWriter, _ *http.Request) {
	refuse(w, http.StatusNotFound, "not yet")
}
