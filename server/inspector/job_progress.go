package inspector

import (
	"sync"
	"time"
)

// mostPoints is the maximum number of points for a job. When it is reached, every other point is
// removed, so that a long job has fewer points for the same time.
const mostPoints = 240

// jobPoint is the progress of a job at a time: milliseconds since 1970, answered lines, and failed
// lines.
type jobPoint [3]int64

// jobProgress records the progress of jobs. It is safe for concurrent use.
type jobProgress struct {
	mu   sync.Mutex
	jobs map[string][]jobPoint
}

// note records the progress of jobs, and removes all other jobs.
func (p *jobProgress) note(now time.Time, jobs []Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := make(map[string][]jobPoint, len(jobs))
	for i := range jobs {
		kept[jobs[i].ID] = nextPoint(p.jobs[jobs[i].ID], now, &jobs[i])
	}
	p.jobs = kept
}

// nextPoint adds a point. If the job has ended, it moves the last point instead.
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
