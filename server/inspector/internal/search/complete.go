package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Completion is a possible continuation of a query.
type Completion struct {
	// Text replaces the query's bytes from From to To.
	Text     string `json:"text"`
	From, To int    `json:"-"`
	// Label is the text in a list, and Detail explains it.
	Label  string `json:"label"`
	Detail string `json:"detail"`
}

// maxCompletions is the maximum number of completions.
const maxCompletions = 20

// Complete returns the completions of the term at a byte offset of a query. Values of filters come
// from the exchanges, the most frequent first.
func Complete(query string, at int, exchanges []Exchange) []Completion {
	at = min(max(at, 0), len(query))
	from := at
	if space := strings.LastIndexFunc(query[:at], isSpace); space >= 0 {
		from = skipSpace(query, space)
	} else {
		from = 0
	}
	from = min(from, at)
	to := wordEnd(query, at)
	word := query[from:at]
	minus := ""
	if strings.HasPrefix(word, "-") {
		minus, word = "-", word[1:]
	}
	out := []Completion{}
	if name, op, value := splitFilter(word); op == ":" {
		out = valuesOf(name, strings.TrimPrefix(value, `"`), exchanges)
	} else if !strings.HasPrefix(word, `"`) {
		out = namesOf(word)
	}
	for i := range out {
		out[i].Text = minus + out[i].Text
		out[i].From, out[i].To = from, to
	}
	return out[:min(len(out), maxCompletions)]
}

// namesOf returns the filters whose names begin with a word.
func namesOf(word string) (out []Completion) {
	for i := range filters {
		f := &filters[i]
		text := f.name + ":"
		switch {
		case f.name == fieldDuration:
			text = ">"
		case f.isComparison:
			text = f.name + ">"
		}
		if strings.HasPrefix(text, word) {
			out = append(out, Completion{Text: text, Label: text, Detail: f.detail})
		}
	}
	return out
}

// valuesOf returns the values of a filter that begin with a text.
func valuesOf(name, begin string, exchanges []Exchange) (out []Completion) {
	f := filterNamed(name, ":")
	if f == nil {
		return nil
	}
	add := func(value, detail string) {
		if len(value) >= len(begin) && strings.EqualFold(value[:len(begin)], begin) {
			t := term{field: name, op: ":", value: value}
			out = append(out, Completion{Text: t.String(), Label: value, Detail: detail})
		}
	}
	for _, value := range f.words {
		add(value, "")
	}
	if values := valueOf[name]; values != nil {
		for _, counted := range frequent(values, exchanges) {
			add(counted.value, requests(counted.count))
		}
	}
	return out
}

func requests(n int) string {
	if n == 1 {
		return "1 request"
	}
	return strconv.Itoa(n) + " requests"
}

// valueOf are the values of an exchange by filter. The table is read-only.
var valueOf = map[string]func(e *Exchange) []string{
	"client":       func(e *Exchange) []string { return []string{e.Client} },
	"model":        func(e *Exchange) []string { return e.Models },
	"account":      func(e *Exchange) []string { return e.Accounts },
	"endpoint":     func(e *Exchange) []string { return []string{e.Endpoint} },
	"tool":         func(e *Exchange) []string { return e.Tools },
	"finish":       func(e *Exchange) []string { return []string{e.Finish} },
	"job":          func(e *Exchange) []string { return []string{e.Job} },
	"conversation": func(e *Exchange) []string { return []string{e.Conversation} },
	"error":        func(e *Exchange) []string { return []string{e.Failure} },
	"lost":         func(e *Exchange) []string { return patterns(e.Lost) },
	"header": func(e *Exchange) (names []string) {
		for _, h := range e.Headers {
			names = append(names, strings.ToLower(h.Name))
		}
		return names
	},
}

// patterns returns pointers with "*" in place of numbers.
func patterns(pointers []string) []string {
	out := make([]string, len(pointers))
	for i, pointer := range pointers {
		out[i] = Pattern(pointer)
	}
	return out
}

// Pattern returns a pointer with "*" in place of the numbers of list elements.
func Pattern(pointer string) string {
	names := strings.Split(pointer, "/")
	for i, name := range names {
		if _, err := strconv.ParseUint(name, 10, 64); err == nil {
			names[i] = "*"
		}
	}
	return strings.Join(names, "/")
}

type counted struct {
	value string
	count int
}

// frequent returns the values of exchanges, the most frequent first.
func frequent(values func(e *Exchange) []string, exchanges []Exchange) []counted {
	counts := map[string]int{}
	for i := range exchanges {
		seen := values(&exchanges[i])
		for at, value := range seen {
			if value != "" && !slices.Contains(seen[:at], value) {
				counts[value]++
			}
		}
	}
	out := make([]counted, 0, len(counts))
	for value, count := range counts {
		out = append(out, counted{value, count})
	}
	slices.SortFunc(out, func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.value, b.value))
	})
	return out
}
