package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"
)

// file is the file of facts.
type file struct {
	Sources map[string]source   `yaml:"sources"`
	Names   []modelName         `yaml:"names"`
	Groups  map[string][]string `yaml:"groups"`
	Facts   []fact              `yaml:"facts"`
}

// source is the source of a fact, with the date when it was read.
type source struct {
	Title string `yaml:"title"`
	URL   string `yaml:"url"` // "" where several places say so
	Date  day    `yaml:"date"`
}

// modelName is a model, a family or an alias.
type modelName struct {
	Name  string   `yaml:"name"`
	IDs   []string `yaml:"ids"`
	Kind  string   `yaml:"kind"`
	Calls []string `yaml:"calls"`
	Only  string   `yaml:"only"`
}

// fact is a row. The zero day means no limit.
type fact struct {
	Models     []string  `yaml:"models"`
	What       string    `yaml:"what"`
	Value      yaml.Node `yaml:"value"`
	From       day       `yaml:"from"`
	Until      day       `yaml:"until"`
	Service    string    `yaml:"service"`
	Source     string    `yaml:"source"`
	Confidence string    `yaml:"confidence"`
	Checked    day       `yaml:"checked"`

	line int
}

// UnmarshalYAML keeps the line of a row for errors. It refuses members that a row does not have.
func (f *fact) UnmarshalYAML(node *yaml.Node) error {
	known := []string{"models", "what", "value", "from", "until", "service", "source", "confidence",
		"checked"}
	for i := 0; i < len(node.Content); i += 2 {
		if key := node.Content[i]; !slices.Contains(known, key.Value) {
			return fmt.Errorf("line %d: a fact has no %q", key.Line, key.Value)
		}
	}
	type plain fact
	if err := node.Decode((*plain)(f)); err != nil {
		return err
	}
	f.line = node.Line
	return nil
}

// day is a day as yyyymmdd, or 0. Days compare like numbers.
type day int

// UnmarshalYAML reads a day such as 2026-11-23.
func (d *day) UnmarshalYAML(node *yaml.Node) error {
	at, err := time.Parse(time.DateOnly, node.Value)
	if err != nil {
		return fmt.Errorf("line %d: %q is not a day such as 2026-11-23", node.Line, node.Value)
	}
	*d = dayOf(at)
	return nil
}

func dayOf(at time.Time) day {
	year, month, date := at.UTC().Date()
	return day(year*10000 + int(month)*100 + date)
}

// time returns the beginning of the day in UTC.
func (d day) time() time.Time {
	return time.Date(int(d)/10000, time.Month(int(d)/100%100), int(d)%100, 0, 0, 0, 0, time.UTC)
}

// next returns the day after.
func (d day) next() day { return dayOf(d.time().AddDate(0, 0, 1)) }

func readFile(path string) (*file, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// read reads facts and checks each row alone. [tables] finds rows that contradict each other.
func read(data []byte) (*file, error) {
	var f file
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&f); err != nil {
		return nil, err
	}
	if err := f.checkNames(); err != nil {
		return nil, err
	}
	used := make(map[string]bool)
	for i := range f.Facts {
		row := &f.Facts[i]
		used[row.Source] = true
		if err := f.checkFact(row); err != nil {
			return nil, fmt.Errorf("line %d: %w", row.line, err)
		}
	}
	for key, s := range f.Sources {
		if s.Title == "" || s.Date == 0 {
			return nil, fmt.Errorf("source %q needs a title and a date", key)
		}
		if !used[key] {
			return nil, fmt.Errorf("no fact uses source %q", key)
		}
	}
	return &f, nil
}

// The names that stand for models without a row: one of Gemini's, and any other.
const (
	unknownGemini = "unknown-gemini"
	unknownModel  = "unknown"
)

var (
	kinds    = map[string]string{"": "kindModel", "family": "kindFamily", "alias": "kindAlias"}
	services = map[string]string{"gemini_api": "GeminiAPI", "vertex_ai": "VertexAI",
		"both": "BothBackends"}
	confidences = map[string]string{"vendor": "ConfidenceVendor",
		"third_party": "ConfidenceThirdParty", "inferred": "ConfidenceInferred", "unverified": "ConfidenceUnverified"}
	calls = map[string]string{"generate": "CallGenerate", "embed": "CallEmbed",
		"live": "CallLive", "interactions": "CallInteractions", "predict": "CallPredict", "answer": "CallAnswer"}
)

func (f *file) checkNames() error {
	seen := map[string]bool{unknownGemini: true, unknownModel: true}
	for i := range f.Names {
		n := &f.Names[i]
		if n.Name == "" || seen[n.Name] {
			return fmt.Errorf("the name %q is empty or occurs twice", n.Name)
		}
		seen[n.Name] = true
		if _, ok := kinds[n.Kind]; !ok {
			return fmt.Errorf("%s: %q is not a kind; use family or alias, or leave it out", n.Name,
				n.Kind)
		}
		if n.Only != "" && services[n.Only] == "" {
			return fmt.Errorf("%s: %q is not a service", n.Name, n.Only)
		}
		if len(n.Calls) == 0 {
			return fmt.Errorf("%s: calls is missing", n.Name)
		}
		for _, call := range n.Calls {
			if calls[call] == "" {
				return fmt.Errorf("%s: %q is not a call", n.Name, call)
			}
		}
		if n.Kind != "family" && n.IDs == nil {
			n.IDs = []string{n.Name}
		}
	}
	for group, members := range f.Groups {
		if seen[group] {
			return fmt.Errorf("the group %q has the name of a model", group)
		}
		for _, member := range members {
			if !seen[member] && f.Groups[member] == nil {
				return fmt.Errorf("the group %q has %q, which is neither a model nor a group",
					group, member)
			}
		}
	}
	return nil
}

func (f *file) checkFact(row *fact) error {
	kind, ok := facts[row.What]
	switch {
	case len(row.Models) == 0:
		return fmt.Errorf("models is missing")
	case !ok:
		return fmt.Errorf("%q is not a fact that a model can have", row.What)
	case services[row.Service] == "":
		return fmt.Errorf("%q is not a service; use gemini_api, vertex_ai or both", row.Service)
	case !kind.byService && row.Service != "both":
		return fmt.Errorf("%s does not depend on the service; use both", row.What)
	case f.Sources[row.Source].Title == "":
		return fmt.Errorf("%q is not a source", row.Source)
	case confidences[row.Confidence] == "":
		return fmt.Errorf("%q is not a confidence; use vendor, third_party, inferred or unverified",
			row.Confidence)
	case row.Checked == 0:
		return fmt.Errorf("checked is missing")
	case row.From != 0 && row.Until != 0 && row.Until < row.From:
		return fmt.Errorf("until is before from")
	case kind.needsDay && row.From == 0:
		return fmt.Errorf("%s needs the day from which it holds", row.What)
	}
	for _, of := range row.Models {
		if !f.isName(of) && f.Groups[of] == nil {
			return fmt.Errorf("%q is neither a model nor a group", of)
		}
	}
	if _, err := kind.literal(&row.Value); err != nil {
		return fmt.Errorf("%s: %w", row.What, err)
	}
	if kind.isName && !f.isListed(row.Value.Value) {
		return fmt.Errorf("%s: %q is not a model", row.What, row.Value.Value)
	}
	return nil
}

func (f *file) isName(name string) bool {
	return name == unknownGemini || name == unknownModel || f.nameOf(name) != nil
}

func (f *file) nameOf(name string) *modelName {
	for i := range f.Names {
		if f.Names[i].Name == name {
			return &f.Names[i]
		}
	}
	return nil
}

// isListed reports whether a service lists a model by this id.
func (f *file) isListed(id string) bool {
	return slices.ContainsFunc(f.Names,
		func(n modelName) bool { return slices.Contains(n.IDs, id) })
}

// members returns the names that models of a row stand for.
func (f *file) members(of []string) []string {
	var out []string
	for _, member := range of {
		if group, isGroup := f.Groups[member]; isGroup {
			out = append(out, f.members(group)...)
		} else {
			out = append(out, member)
		}
	}
	return out
}
