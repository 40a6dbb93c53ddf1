package inspector

import (
	"context"
	"net/http"
	"time"
)

// Jobs provides the bulk jobs that the page shows in addition to the requests. It must be safe for
// concurrent use.
type Jobs interface {
	// Jobs returns up to a number of jobs, the newest first.
	Jobs(ctx context.Context, most int) ([]Job, error)
	// Failures returns up to a number of failed or invalid lines of a job, in their order.
	Failures(ctx context.Context, id string, most int) ([]Failure, error)
}

// Job is a bulk job.
type Job struct {
	ID string `json:"id"`
	// Client is the owner, or "" without one. Model and Endpoint are "" until they are known.
	Client   string `json:"client"`
	Model    string `json:"model"`
	Endpoint string `json:"endpoint"`
	// State is OpenAI's state, such as "in_progress". HasEnded reports that the state is final.
	// Resting is why a job is paused, or "".
	State    string `json:"state"`
	HasEnded bool   `json:"hasEnded"`
	Resting  string `json:"resting"`
	// CreatedAt is when it was submitted. EndedAt is when it ended, or zero.
	CreatedAt time.Time `json:"createdAt"`
	EndedAt   time.Time `json:"endedAt,omitzero"`
	// Total, Completed, Failed and Repeated are numbers of lines.
	Total     int64 `json:"total"`
	Completed int64 `json:"completed"`
	Failed    int64 `json:"failed"`
	Repeated  int64 `json:"repeated"`
	// InputTokens, OutputTokens and Cost cover all lines so far. Currency is "" without a price.
	InputTokens  int64   `json:"inputTokens"`
	OutputTokens int64   `json:"outputTokens"`
	Cost         float64 `json:"cost"`
	Currency     string  `json:"currency"`
	// Failures is the number of failed lines by their kind.
	Failures map[string]int64 `json:"failures"`
}

// Failure is a failed or invalid line of a job.
type Failure struct {
	// Line is its number from 1, or 0 if it is unknown. CustomID is "" for a line without an id.
	Line     int    `json:"line"`
	CustomID string `json:"customID"`
	// Status is the HTTP status, or 0 for a line that was not sent. Code and Message are the
	// reason.
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// WithJobs shows bulk jobs. From then on their progress is sampled each second until
// [Inspector.Close].
func WithJobs(jobs Jobs) Option { return func(s *settings) { s.jobs = jobs } }

// Limits of what the page shows of jobs.
const (
	mostJobs     = 50
	mostFailures = 200
	// sampleEvery is the interval of samples of the jobs' progress, and the time limit of a sample.
	sampleEvery = time.Second
	sampleLimit = 5 * time.Second
)

// shownJob is a job in the page's format.
type shownJob struct {
	Job
	// Progress is the number of answered and failed lines over time. Times are in milliseconds
	// since 1970.
	Progress []jobPoint `json:"progress"`
}

// jobList answers with the newest jobs and their progress.
func (i *Inspector) jobList(w http.ResponseWriter, r *http.Request) {
	answer := struct {
		// Shown reports whether there can be jobs at all.
		Shown bool       `json:"shown"`
		Jobs  []shownJob `json:"jobs"`
	}{Shown: i.jobs != nil}
	if i.jobs != nil {
		jobs, err := i.jobs.Jobs(r.Context(), mostJobs)
		if err != nil {
			refuse(w, http.StatusServiceUnavailable,
				i.retain.value("the jobs cannot be read: "+err.Error()))
			return
		}
		i.progress.note(i.clock(), jobs)
		for _, job := range jobs {
			answer.Jobs = append(answer.Jobs, shownJob{i.retain.job(job), i.progress.of(job.ID)})
		}
	}
	writeJSON(w, http.StatusOK, answer)
}

// jobFailures answers with the failed lines of a job.
func (i *Inspector) jobFailures(w http.ResponseWriter, r *http.Request) {
	if i.jobs == nil {
		refuse(w, http.StatusNotFound, "jobs are not enabled")
		return
	}
	failures, err := i.jobs.Failures(r.Context(), r.PathValue("id"), mostFailures)
	if err != nil {
		refuse(w, http.StatusNotFound,
			i.retain.value("the failed lines of this job cannot be read: "+err.Error()))
		return
	}
	for at := range failures {
		failures[at].Message = i.retain.value(failures[at].Message)
	}
	writeJSON(w, http.StatusOK, failures)
}

// sample records the progress of jobs until the inspector is closed.
func (i *Inspector) sample() {
	ticker := time.NewTicker(sampleEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			i.sampleOnce()
		case <-i.closed:
			return
		}
	}
}

func (i *Inspector) sampleOnce() {
	ctx, cancel := context.WithTimeout(context.Background(), sampleLimit)
	defer cancel()
	go func() { // which ends with the inspector
		select {
		case <-i.closed:
			cancel()
		case <-ctx.Done():
		}
	}()
	if jobs, err := i.jobs.Jobs(ctx, mostJobs); err == nil { // or the next time
		i.progress.note(i.clock(), jobs)
	}
}

// job returns the page's view of a job.
func (r *retention) job(job Job) Job {
	job.Client, job.Model, job.Resting = r.value(job.Client), r.value(job.Model),
		r.value(job.Resting)
	return job
}
