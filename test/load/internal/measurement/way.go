package measurement

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/test/load/internal/generator"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
	"github.com/gemwire/gemwire/test/load/internal/process"
	"github.com/gemwire/gemwire/test/load/internal/upstream"
)

// Upstream is the name of the server that answers.
const Upstream = "upstream"

// direct is the way without anything between.
const direct = "direct"

// way is a way from a client to the upstream.
type way struct {
	name    string
	address string
	// process is the intermediary, or the upstream for the direct way.
	process *process.Child
	// What went wrong on a way that the gateway is only compared with, of how many requests, and
	// the last reason.
	flawed, asked int
	reason        error
}

// ways are the ways of a measurement, with the upstream that they share.
type ways struct {
	upstream *process.Child
	all      []*way
}

// open starts the upstream and what is between.
func (p *Plan) open(measurement string, names ...string) (*ways, error) {
	server, err := process.Start(Upstream)
	if err != nil {
		return nil, err
	}
	ws := &ways{upstream: server}
	for _, name := range names {
		if _, err := ws.add(name, p.profile(measurement, name)...); err != nil {
			return nil, errors.Join(err, ws.close())
		}
	}
	return ws, nil
}

// add starts one more.
func (ws *ways) add(name string, args ...string) (*way, error) {
	if name == direct {
		w := &way{name: name, address: ws.upstream.Address, process: ws.upstream}
		ws.all = append(ws.all, w)
		return w, nil
	}
	child, err := process.Start(append([]string{name, "-upstream", ws.upstream.Address},
		args...)...)
	if err != nil {
		return nil, err
	}
	w := &way{name: name, address: child.Address, process: child}
	ws.all = append(ws.all, w)
	return w, nil
}

func (ws *ways) close() error {
	var errs []error
	for _, w := range ws.all {
		if w.name != direct {
			errs = append(errs, w.process.Stop())
		}
	}
	return errors.Join(append(errs, ws.upstream.Stop())...)
}

// asks says what a request asks for.
type asks struct {
	upstream.Wanted
	// streams is whether it asks for a stream.
	streams bool
	// size is roughly how many bytes the request has.
	size int
}

// request returns the request in the form that is spoken on the way.
func (w *way) request(a asks) generator.Request {
	marks := 1
	if a.streams {
		marks = a.Chunks
	}
	path, format := "/v1/chat/completions", openAIFormat
	model, action := "gemini-load", "generateContent"
	if w.passesOn() {
		if a.streams {
			action = "streamGenerateContent?alt=sse"
		}
		path, format = "/v1beta/models/"+model+":"+action, geminiFormat
		model = ""
	}
	rest := ""
	if model != "" {
		rest = fmt.Sprintf(`"model":%q,"stream":%t,`, model, a.streams)
	}
	prompt := a.Prompt() + " " +
		strings.Repeat("lorem ipsum ", max(a.size-400, 0)/len("lorem ipsum "))
	return generator.NewRequest(path, fmt.Sprintf(format, rest, prompt), marks)
}

// passesOn reports whether the request must have the upstream's form, because the way does not
// convert it.
func (w *way) passesOn() bool {
	return slices.Contains([]string{direct, intermediary.NameReverseProxy, intermediary.NameHop},
		w.name)
}

// isForComparison reports whether the way is an intermediary that serves only for comparison.
func (w *way) isForComparison() bool {
	return slices.Contains([]string{intermediary.NameReverseProxy, intermediary.NameHop,
		intermediary.NameGenAIProxy}, w.name)
}

// Requests of the same content in both forms.
const (
	geminiFormat = `{%s"systemInstruction":{"parts":[{"text":"You answer tersely."}]},` +
		`"contents":[{"role":"user","parts":[{"text":"%s"}]}],"generationConfig":{"temperature":0.7,"maxOutputTokens":800}}`
	openAIFormat = `{%s"messages":[{"role":"system","content":"You answer tersely."},{"role":"user","content":"%s"}],` +
		`"temperature":0.7,"max_tokens":800}`
)

// kilobyte is the call that most measurements make: 1 KB to the model and 1 KB from it.
var kilobyte = asks{Wanted: upstream.Wanted{Size: 1024}, size: 1024}

// inTurns runs each way once in each round, the first as a warm-up that does not count.
func (ws *ways) inTurns(measure func(w *way, round int) error) error {
	return ws.inRounds(rounds, measure)
}

// inRounds is inTurns with a number of rounds. Every second round has the other order: what becomes
// slower or faster meanwhile is the same for all.
func (ws *ways) inRounds(rounds int, measure func(w *way, round int) error) error {
	for round := -1; round < rounds; round++ {
		turns := slices.Clone(ws.all)
		if round%2 == 1 {
			slices.Reverse(turns)
		}
		for _, w := range turns {
			if err := measure(w, round); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
		}
	}
	return nil
}

// check returns an error for a load that has had anything but good answers. A way that the gateway
// is only compared with may have some: they are counted.
func (w *way) check(r *generator.Result) error {
	good := r.Statuses[200]
	bad := r.Failures + r.Unsent + r.Lost + r.Misplaced
	for status, count := range r.Statuses {
		if status != 200 {
			bad += count
		}
	}
	w.asked += good + bad
	if bad == 0 && good > 0 {
		return nil
	}
	reason := errors.Join(r.Errors[:min(len(r.Errors), 1)]...)
	if good > 0 && w.isForComparison() {
		w.flawed, w.reason = w.flawed+bad, reason
		return nil
	}
	return fmt.Errorf("statuses %v, %d failures, %d unsent, %d pieces lost and %d misplaced: %w",
		r.Statuses, r.Failures, r.Unsent, r.Lost, r.Misplaced, reason)
}
