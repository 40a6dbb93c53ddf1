package gemini_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

// The chunks of two answers.
const (
	// of 80 bytes
	partOfA = `data: {"candidates":[{"content":{"parts":[{"text":"one"}]}}],"responseId":"a"}` +
		"\n\n"
	// of 65 bytes
	endOfA  = `data: {"candidates":[{"finishReason":"STOP"}],"responseId":"a"}` + "\n\n"
	nextOfA = `data: {"candidates":[{"content":{"parts":[{"text":"next"}]}}],"responseId":"a"}` +
		"\n\n"
	partOfB = `data: {"candidates":[{"content":{"parts":[{"text":"two"}]}}],"responseId":"b"}` +
		"\n\n"
	partOfC = `data: {"candidates":[{"content":{"parts":[{"text":"three"}]}}],"responseId":"c"}` +
		"\n\n"
	ofOther = `data: {"candidates":[{"content":{"parts":[{"text":"Well."}]}}],"responseId":"p","usageMetadata":{}}` +
		"\n\n"

	unnamed = `data: {"candidates":[{"content":{"parts":[{"text":"one"}]}}]}` + "\n\n"
	stopped = `data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\n"
	always  = `data: {"candidates":[{"content":{"parts":[{"text":"ha"}]},"finishReason":"STOP"}]}` +
		"\n\n"
	counted = `data: {"candidates":[{"content":{"parts":[{"text":"ha"}]},"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":7}}` +
		"\n\n"
	blocked = `data: {"promptFeedback":{"blockReason":"SAFETY"}}` + "\n\n"
	cutOff  = `data: {"candidates":[{"finishReason":"MAX_TOKENS"}],"usageMetadata":{"totalTokenCount":7}}` +
		"\n\n"
	done = "data: [DONE]\n\n" // of 14 bytes
)

// ofTwo is a chunk of a second candidate with more members.
func ofTwo(more string) string {
	return `data: {"candidates":[{"index":1,"content":{"parts":[{"text":"b"}]}` + more + "}]}\n\n"
}

// partOfTwo is another chunk of the second candidate.
const partOfTwo = `data: {"candidates":[{"index":1,"content":{"parts":[{"text":"c"}]}}]}` + "\n\n"

func withID(events string) string {
	return strings.ReplaceAll(events, `{"candidates"`, `{"responseId":"a","candidates"`)
}

func withModel(event string) string {
	return strings.Replace(event, `{"candidates"`, `{"modelVersion":"m","candidates"`, 1)
}

// readToTheEnd reads a body, and also after its end.
func readToTheEnd(body io.Reader) (count int, report report.Report, err error) {
	s := gemini.NewStreamReader(body)
	for _, err := range s.All() {
		if err != nil {
			return s.Count(), s.Report(), err
		}
	}
	err = s.CheckEnd()
	if again := s.CheckEnd(); err == nil && again != nil {
		return s.Count(), s.Report(), again
	}
	return s.Count(), s.Report(), err
}

func TestLinesThatAStreamReaderSkipsAreInItsReport(t *testing.T) {
	t.Parallel()
	lost := func(pointer, detail string) report.Entry {
		return report.Entry{Pointer: pointer, Kind: report.Lost, Detail: detail}
	}
	oneLine := func(pointer, offset string) report.Report {
		return report.Report{lost(pointer,
			"the line before it, at byte "+offset+", belongs to no event and was skipped")}
	}
	behind := lost("/2", "it came after the end of the stream")
	for name, test := range map[string]struct {
		body string
		want report.Report
	}{
		"nothing":                      {partOfA + endOfA, nil},
		"fields, comments and marks":   {":\n: hi\nevent: message\nid: 7\nid\nretry: 3\ndata\n" + partOfA + " \n\t\n" + endOfA + "[DONE]\n" + done, nil},
		"a damaged field":              {partOfA + "dta: {\"candidates\":[]}\n\n" + endOfA, oneLine("/1", "80")},
		"a field in capitals":          {partOfA + "DATA: {}\n\n" + endOfA, oneLine("/1", "80")},
		"a field that has no colon":    {partOfA + "data {}\r\rmore\r" + endOfA, report.Report{lost("/1", "the 2 lines before it, the first at byte 80, belong to no event and were skipped")}},
		"a field that begins like one": {"events: 1\n" + partOfA + endOfA, oneLine("/0", "0")},
		"a field after a space":        {partOfA + endOfA + "  data: {}\n", oneLine("/2", "147")},
		"a text after the end":         {partOfA + endOfA + "bye", oneLine("/2", "145")},
		"between the lines of one":     {partOfA + "data: {\nxdata: 7\ndata: \"candidates\":[{\"finishReason\":\"STOP\"}]}\n\n", oneLine("/1", "88")},
		"a list without objects":       {partOfA + "[1]\n" + endOfA, oneLine("/1", "80")},
		"marks after DONE":             {partOfA + endOfA + done + done + "[DONE]\n" + done, nil},
		"an object that is cut":        {partOfA + endOfA + done + "{\"candidates\":[", report.Report{behind}},
		"usage after DONE":             {partOfA + endOfA + done + "data: {\"usageMetadata\":{}}\n\n", report.Report{behind}},
		"anything after DONE":          {partOfA + endOfA + done + "data: {\n\nxy\n", append(report.Report{lost("/3", "the line before it, at byte 168, belongs to no event and was skipped")}, behind)},
	} {
		for _, in := range []io.Reader{strings.NewReader(test.body),
			iotest.OneByteReader(strings.NewReader(test.body))} {
			count, report, err := readToTheEnd(in)
			if err != nil || count != 2 {
				t.Errorf("%s: %d chunks, %v", name, count, err)
			}
			if diff := cmp.Diff(test.want, report); diff != "" {
				t.Errorf("%s: -want +got:\n%s", name, diff)
			}
		}
	}
}

func TestASecondStreamIsAnError(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body  string
		count int
	}{
		"of another id":               {partOfA + endOfA + partOfB + endOfA, 2},
		"the same again":              {partOfA + endOfA + partOfA + endOfA, 2},
		"the same again without ids":  {unnamed + stopped + unnamed + stopped, 2},
		"the same in one chunk":       {counted + counted, 1},
		"content after an end":        {unnamed + stopped + always, 2},
		"an id that comes late":       {unnamed + endOfA + partOfA, 2},
		"a late id in each":           {always + partOfA, 1},
		"a late model":                {always + withModel(always), 1},
		"no model any more":           {withModel(always) + always, 1},
		"no counts any more":          {counted + always, 1},
		"another end with an id":      {counting(4) + `data: {"candidates":[{"finishReason":"SAFETY"}],"responseId":"b","usageMetadata":{"totalTokenCount":5}}` + "\n\n", 1},
		"another end with less":       {counting(4) + strings.Replace(cutOff, ":7}", ":3}", 1), 1},
		"a refusal twice":             {blocked + blocked, 1},
		"an empty answer twice":       {cutOff + cutOff, 1},
		"a refusal after DONE":        {unnamed + stopped + done + blocked, 2},
		"of a second candidate":       {ofTwo("") + ofTwo(`,"finishReason":"STOP"`) + ofTwo(""), 2},
		"after two rounds":            {partOfA + endOfA + nextOfA + endOfA + partOfA, 4},
		"of one id that counts anew":  {withID(unnamed + counting(9) + counting(4)), 2},
		"counts anew after rounds":    {unnamed + counting(4) + counting(9) + counting(7), 3},
		"after DONE":                  {partOfA + endOfA + done + partOfA + endOfA + done, 2},
		"another one, by its counts":  {unnamed + counting(9) + counting(4), 2},
		"one with another prompt":     {unnamed + counting(4) + withPrompt(counting(9)), 2},
		"the same again, in an array": {"[" + bodyOf(partOfA) + "," + bodyOf(endOfA) + "][" + bodyOf(partOfA) + "]", 2},
		"the same again, in lines":    {bodyOf(partOfA) + "\n" + bodyOf(endOfA) + "\n" + bodyOf(partOfA) + "\n", 2},
		"the same sentence, stopped":  {strings.Replace(always+always, "ha", "It is so.", 2), 1},

		"in place of the end, two ids":            {partOfA + partOfA + partOfB + endOfA, 2},
		"in place of the end, after one chunk":    {withModel(partOfA) + withModel(partOfB) + withModel(partOfB), 2},
		"in place of the end, after a first word": {ofOther + partOfA + partOfA + partOfB + endOfA, 3},
	} {
		for _, in := range []io.Reader{strings.NewReader(test.body),
			iotest.OneByteReader(strings.NewReader(test.body))} {
			count, _, err := readToTheEnd(in)
			if fault, ok := errors.AsType[*wire.StreamError](err); !ok ||
				!errors.Is(err, wire.ErrSecondStream) || count != test.count ||
				fault.Event != test.count+1 {
				t.Errorf("%s: %d chunks, %v", name, count, err)
			}
		}
	}
}

// counting is a last chunk with a token count.
func counting(total int) string {
	return fmt.Sprintf(`data: {"candidates":[{"content":{"parts":[{"text":"%d"}]},"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":%d}}`,
		total, total) +
		"\n\n"
}

func withPrompt(event string) string {
	return strings.Replace(event, `"usageMetadata":{`, `"usageMetadata":{"promptTokenCount":2,`, 1)
}

func bodyOf(event string) string { return strings.TrimSpace(strings.TrimPrefix(event, "data: ")) }

func TestContentAfterAFinishReasonIsNoSecondStream(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a reason with each word": always + always + always,
		"text after the reason":   endOfA + partOfA + partOfA + endOfA,
		"text without a reason":   always + unnamed + always,
		"usage after the reason": partOfA + endOfA +
			`data: {"usageMetadata":{"totalTokenCount":7},"responseId":"a"}` + "\n\n",
		"counts that grow":       counting(4) + counting(9),
		"counts that come late":  always + counting(4) + counting(9),
		"the reason again":       unnamed + stopped + stopped,
		"a block after it":       unnamed + stopped + blocked,
		"an id for each chunk":   partOfA + partOfB + partOfC + endOfA,
		"an id of a proxy first": ofOther + partOfA + partOfA + endOfA,
		"an id of a proxy last": partOfA + partOfA +
			`data: {"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}],"responseId":"p"}` +
			"\n\n",
		"an id of a proxy within": partOfA + partOfA + `data: {"candidates":[],"responseId":"p"}` +
			"\n\n" + partOfA + endOfA,
		"the first word again": partOfA + partOfA + endOfA,
		"rounds of one id":     partOfA + endOfA + nextOfA + endOfA + nextOfA + endOfA,
		"rounds that count on": unnamed + counting(4) + counting(9) + counting(9) + counting(12),
		"a round of a candidate": withID(ofTwo("")+ofTwo(`,"finishReason":"STOP"`)+partOfTwo) +
			endOfA,
		"another candidate": unnamed + stopped +
			`data: {"candidates":[{"index":1,"content":{"parts":[{"text":"b"}]}}]}` + "\n\n",
	} {
		if _, report, err := readToTheEnd(strings.NewReader(body)); err != nil || report != nil {
			t.Errorf("%s: %v, %v", name, report, err)
		}
	}
}

func TestAnAnswerThatContinuesAfterAFinishReasonNeedsAnother(t *testing.T) {
	t.Parallel()
	const empty = `data: {"candidates":[{"content":{"parts":[{"text":""}]}}],"responseId":"a"}` +
		"\n\n"
	const counts = `data: {"usageMetadata":{"totalTokenCount":7},"responseId":"a"}` + "\n\n"
	for name, test := range map[string]struct {
		body string
		want error
	}{
		"no other":            {partOfA + endOfA + nextOfA, wire.ErrTruncated},
		"no other after two":  {partOfA + endOfA + nextOfA + endOfA + nextOfA, wire.ErrTruncated},
		"counts alone":        {partOfA + endOfA + nextOfA + counts, wire.ErrTruncated},
		"an empty text alone": {partOfA + endOfA + empty, nil},
		"another":             {partOfA + endOfA + nextOfA + nextOfA + endOfA, nil},
		"another with it":     {partOfA + endOfA + nextOfA + withID(always), nil},
	} {
		if _, _, err := readToTheEnd(strings.NewReader(test.body)); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBytesAfterAnErrorAreReported(t *testing.T) {
	t.Parallel()
	const failed = `data: {"error":{"code":503,"message":"busy"}}` + "\n\n"
	for name, test := range map[string]struct {
		behind, pointer string
		err             error
	}{
		"nothing":                   {"", "", nil},
		"the mark":                  {done, "", nil},
		"counts":                    {`data: {"usageMetadata":{}}` + "\n\n", "/2", nil},
		"a damaged line":            {"dta: {}\n", "/2", nil},
		"a second stream":           {partOfB, "", wire.ErrSecondStream},
		"two marks":                 {done + done, "", nil},
		"counts, two marks between": {done + done + `data: {"usageMetadata":{}}` + "\n\n", "/3", nil},
	} {
		s := gemini.NewStreamReader(strings.NewReader(partOfA + failed + test.behind))
		for _, err := range s.All() {
			if _, ok := errors.AsType[*gemini.Error](err); err != nil && !ok {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := s.CheckEnd(); !errors.Is(err, test.err) {
			t.Errorf("%s: %v", name, err)
		}
		if report := s.Report(); len(report) > 1 || (len(report) == 1) != (test.pointer != "") ||
			report != nil && report[0].Pointer != test.pointer {
			t.Errorf("%s: %v", name, report)
		}
	}
}
