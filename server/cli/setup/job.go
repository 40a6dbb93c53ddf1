package setup

import (
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
)

// JobUpstream is the setting of a bulk job that says what answers its lines, such as "gemini", so
// that no worker with another upstream takes it up: a fake server would answer what was meant for
// Gemini.
const JobUpstream = "upstream"

// Takes reports whether a worker with settings takes up a job: one that says what answers it is for
// nobody else, and one that does not is for nobody who makes answers up unasked.
func Takes(settings *config.Config, job *bulk.Job) bool {
	own := string(settings.Service())
	if asked := job.Settings[JobUpstream]; asked != "" {
		return asked == own
	}
	return own != string(gateway.Embedded) || settings.Upstream != ""
}
