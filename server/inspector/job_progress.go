package inspector

import (
	"sync"
	"time"
)

// mostPoints is how many points are kept of a job. When there are as many every other one is let go
// of, so that a long job has fewer in the same time.
const mostPoints = 240

// jobPoint is how far a job was: milliseconds since 1970, lines with an answer, and lines that
// failed.
type jobPoint [3]int64

// jobProgress keeps how jobs went on. It is safe for use by several goroutines.
type jobProgress struct {
	mu   sync.Mutex
	jobs map[string][]jobPoint
}

// note keeps how far jobs are, and forgets those that are not among them.
func (p *jobProgress) note(now time.Time, jobs []Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := make(map[string][]jobPoint, len(jobs))
	for i := range jobs {
		kept[jobs[i].ID] = nextPoint(p.jobs[jobs[i].ID], now, &jobs[i])
	}
	p.jobs = kept
}

// nextPoint adds a point, or sets the last one where the job ended before it.
func nextPoint(points []jobPoint, now time.Time, job *Job) []jobPoint {
	point := jobPoint{now.UnixMilli(), job.Completed, job.Failed}
	if !job.EndedAt.IsZero() {
		point[0] = job.EndedAt.UnixMilli()
	}
	if len(points) == 0 {
		points = []jobPoint{{job.CreatedAt.UnixMilli()}}
	}
	if last := &points[len(points)-1]; point[0] <= last[0] {
		last[1], last[2] = point[1], point[2]
		return points
	}
	if len(points) == mostPoints {
		points = thinned(points)
	}
	return append(points, point)
}

// thinned returns every other point.
func thinned(points []jobPoint) []jobPoint {
	out := make([]jobPoint, 0, mostPoints)
	for i := 0; i < len(points); i += 2 {
		out = append(out, points[i])
	}
	return out
}

// of returns the points of a job.
func (p *jobProgress) of(id string) []jobPoint {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]jobPoint(nil), p.jobs[id]...)
}
