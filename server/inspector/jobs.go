package inspector

import (
	"context"
	"net/http"
	"time"
)

// Jobs tells of bulk jobs, which the page shows beside the requests. It is safe for use by several
// goroutines.
type Jobs interface {
	// Jobs returns the newest jobs, the newest first, at most so many.
	Jobs(ctx context.Context, most int) ([]Job, error)
	// Failures returns lines of a job that failed, or that are wrong, in their order and at most so
	// many.
	Failures(ctx context.Context, id string, most int) ([]Failure, error)
}

// Job is a bulk job.
type Job struct {
	ID string `json:"id"`
	// Client is whose it is, "" for nobody's. Model and Endpoint are "" as long as they are not
	// known.
	Client   string `json:"client"`
	Model    string `json:"model"`
	Endpoint string `json:"endpoint"`
	// State is OpenAI's word, such as "in_progress"; HasEnded whether it is one that a job stays
	// in. Resting is why a job rests, "" for one that does not.
	State    string `json:"state"`
	HasEnded bool   `json:"hasEnded"`
	Resting  string `json:"resting"`
	// CreatedAt is when it was asked for, EndedAt when it ended, zero for one that has not.
	CreatedAt time.Time `json:"createdAt"`
	EndedAt   time.Time `json:"endedAt,omitzero"`
	// Total, Completed, Failed and Repeated count lines.
	Total     int64 `json:"total"`
	Completed int64 `json:"completed"`
	Failed    int64 `json:"failed"`
	Repeated  int64 `json:"repeated"`
	// InputTokens, OutputTokens and Cost are of all lines so far. Currency is "" where there is no
	// price.
	InputTokens  int64   `json:"inputTokens"`
	OutputTokens int64   `json:"outputTokens"`
	Cost         float64 `json:"cost"`
	Currency     string  `json:"currency"`
	// Failures counts the failed lines by their kind.
	Failures map[string]int64 `json:"failures"`
}

// Failure is a line of a job that failed, or that is wrong.
type Failure struct {
	// Line is its number, from 1, 0 where it is not known. CustomID is "" for a line that has none.
	Line     int    `json:"line"`
	CustomID string `json:"customID"`
	// Status is that of HTTP, 0 for a line that was not asked. Code and Message are why.
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// WithJobs shows bulk jobs. How they go on is looked at each second from then on, until
// [Inspector.Close].
func WithJobs(jobs Jobs) Option { return func(s *settings) { s.jobs = jobs } }

// The bounds of what is shown of jobs.
const (
	mostJobs     = 50
	mostFailures = 200
	// sampleEvery is how often is looked at how jobs go on, and how long that may take.
	sampleEvery = time.Second
	sampleLimit = 5 * time.Second
)

// shownJob is a job as the page gets it.
type shownJob struct {
	Job
	// Progress is how many lines had an answer, and failed, at which times, in milliseconds since
	// 1970.
	Progress []jobPoint `json:"progress"`
}

// jobList answers with the newest jobs, and how they went on.
func (i *Inspector) jobList(w http.ResponseWriter, r *http.Request) {
	answer := struct {
		// Shown is whether there can be jobs at all.
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
		refuse(w, http.StatusNotFound, "there are no jobs here")
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

// sample looks at how jobs go on, until the inspector is closed.
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

// job returns what is shown of a job.
func (r *retention) job(job Job) Job {
	job.Client, job.Model, job.Resting = r.value(job.Client), r.value(job.Model),
		r.value(job.Resting)
	return job
}
