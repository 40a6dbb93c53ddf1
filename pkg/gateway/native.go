package gateway

import (
	"github.com/go-chi/chi/v5"
)

// nativeForm is Google's own API, passed through.
var nativeForm = form{
	name:          "native",
	routes:        func(chi.Router, *generation) {},
	appendProblem: appendOpenAIProblem,
}
