package models

import (
	"time"
)

// Lifecycle is how long a model is offered at a service. A time that is not known is zero.
type Lifecycle struct {
	// Stage is where the model is on the day that was asked for.
	Stage Stage
	// Released, Deprecated and ShutDown are the first days of what they say, in UTC. They may be in
	// the future.
	Released, Deprecated, ShutDown time.Time
	// Replacement is the model that Google names in its place, "" for none.
	Replacement string
	// Source and Confidence are those of Deprecated and ShutDown.
	Source     Source
	Confidence Confidence
}

// Stage is where a model is between its release and its end.
type Stage string

// The stages. The zero value is for what is not known.
const (
	StageUnknown    Stage = ""
	StagePreview    Stage = "preview"
	StageGA         Stage = "ga"
	StageDeprecated Stage = "deprecated"
	StageShutDown   Stage = "shut_down"
)

// life is a lifecycle in the table.
type life struct {
	stages               []datedStage
	deprecated, shutDown day
	replacement          string
	source               *Source // nil without an end
	confidence           Confidence
}

type datedStage struct {
	from  day
	stage Stage
}

func (l *life) on(d day) Lifecycle {
	out := Lifecycle{
		Deprecated: l.deprecated.time(), ShutDown: l.shutDown.time(), Replacement: l.replacement,
		Confidence: l.confidence,
	}
	if l.source != nil {
		out.Source = *l.source
	}
	for i := range l.stages {
		if i == 0 {
			out.Released = l.stages[i].from.time()
		}
		if l.stages[i].from <= d {
			out.Stage = l.stages[i].stage
		}
	}
	switch {
	case l.shutDown != 0 && l.shutDown <= d:
		out.Stage = StageShutDown
	case l.deprecated != 0 && l.deprecated <= d:
		out.Stage = StageDeprecated
	}
	return out
}

// Notice is what who calls a model should know about it.
type Notice struct {
	Kind NoticeKind
	// On is the day on which it begins or began, in UTC. It is zero where that is not known.
	On time.Time
	// Target is the model that answers or that Google names in its place, "" for none.
	Target     string
	Confidence Confidence

	model string
}

// NoticeKind is what a notice is about.
type NoticeKind string

// The kinds.
const (
	NoticeRouted NoticeKind = "routed" // Another model answers.
	// The model is deprecated, without an end in the time that was asked for.
	NoticeDeprecated NoticeKind = "deprecated"
	// The model is shut down, or another one answers, within that time.
	NoticeEnds     NoticeKind = "ends"
	NoticeShutDown NoticeKind = "shut_down" // The model was shut down, and none answers.
)

// Notices returns what who calls the model should know at the time of [At]: that another model
// answers, that it is deprecated, was shut down, or ends within some time. It returns nil for a
// model that has none of it. An alias is no notice: it is made to be moved on.
func (m *Model) Notices(within time.Duration) []Notice {
	var out []Notice
	life := &m.Lifecycle
	add := func(kind NoticeKind, on time.Time, target string, confidence Confidence) {
		out = append(out,
			Notice{Kind: kind, On: on, Target: target, Confidence: confidence, model: m.Asked})
	}
	end, target, confidence := life.ShutDown, life.Replacement, life.Confidence
	if m.Next.Kind == RouteReplaced && (end.IsZero() || !m.Next.Since.After(end)) {
		end, target, confidence = m.Next.Since, m.Next.Target, m.Next.Confidence
	}
	switch {
	case m.Route.Kind == RouteReplaced:
		add(NoticeRouted, m.Route.Since, m.Route.Target, m.Route.Confidence)
	case life.Stage == StageShutDown:
		add(NoticeShutDown, life.ShutDown, life.Replacement, life.Confidence)
	case !end.IsZero() && end.Sub(m.when) <= within:
		add(NoticeEnds, end, target, confidence)
	case life.Stage == StageDeprecated:
		add(NoticeDeprecated, life.Deprecated, life.Replacement, life.Confidence)
	}
	return out
}

// String returns the notice in words, such as
// "gemini-3.5-flash → gemini-3.6-flash, routed by Google since 2026-10-08".
func (n Notice) String() string {
	day := n.On.Format(time.DateOnly)
	text := n.model
	switch n.Kind {
	case NoticeRouted:
		return n.model + " → " + n.Target + ", routed by Google since " + day
	case NoticeEnds:
		text += " ends on " + day
	case NoticeShutDown:
		text += " was shut down on " + day
	default:
		text += " is deprecated since " + day
	}
	if n.Target != "" {
		text += "; Google names " + n.Target + " in its place"
	}
	return text
}
