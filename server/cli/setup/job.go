package setup

import (
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
)

// JobUpstream is the setting of a bulk job that names its upstream, such as "gemini". A worker with
// another upstream does not take the job. Otherwise a fake server would answer requests that were
// meant for Gemini.
const JobUpstream = "upstream"

// Takes reports whether a worker with these settings takes a job. A job that names its upstream is
// for workers with that upstream. A job without one is not for a worker with the fake server as its
// default.
func Takes(settings *config.Config, job *bulk.Job) bool {
	own := string(settings.Service())
	if asked := job.Settings[JobUpstream]; asked != "" {
		return asked == own
	}
	return own != string(gateway.Embedded) || settings.Upstream != ""
}
