package models

import (
	"time"
)

// Lifecycle is the period in which a service offers a model. Unknown times are zero.
type Lifecycle struct {
	// Stage is the stage of the model on the requested day.
	Stage Stage
	// Released, Deprecated and ShutDown are the first days of these stages, in UTC. They may be in
	// the future.
	Released, Deprecated, ShutDown time.Time
	// Replacement is the model that Google names as the replacement, or "".
	Replacement string
	// Source and Confidence apply to Deprecated and ShutDown.
	Source     Source
	Confidence Confidence
}

// Stage is the stage of a model between its release and its shutdown.
type Stage string

// The stages. The zero value means unknown.
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
	source               *Source // nil without an end date
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

// Notice is a fact that callers of a model should know.
type Notice struct {
	Kind NoticeKind
	// On is the first day, in UTC. It is zero if unknown.
	On time.Time
	// Target is the model that answers or that Google names as the replacement, or "".
	Target     string
	Confidence Confidence

	model string
}

// NoticeKind is the kind of a notice.
type NoticeKind string

// The kinds of notices.
const (
	NoticeRouted NoticeKind = "routed" // Another model answers.
	// The model is deprecated, and does not end within the requested period.
	NoticeDeprecated NoticeKind = "deprecated"
	// The model is shut down, or another one answers, within the requested period.
	NoticeEnds     NoticeKind = "ends"
	NoticeShutDown NoticeKind = "shut_down" // The model was shut down, and no other model answers.
)

// Notices returns what callers of the model should know at the time of [At]: that another model
// answers, or that the model is deprecated, was shut down, or ends within some period. It returns
// nil if nothing applies. An alias gives no notice, because aliases are made to change.
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

// String returns the notice as a text, such as "gemini-3.5-flash → gemini-3.6-flash, routed by
// Google since 2026-10-08".
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
