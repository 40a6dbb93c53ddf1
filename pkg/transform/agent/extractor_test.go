package agent_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/google/go-cmp/cmp"
)

// read reads an extractor to its end.
func read(x *agent.Extractor) (extraction, error) {
	var out extraction
	for {
		object, err := x.Next()
		if err != nil {
			out.Rest = string(x.Rest())
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return out, err
		}
		out.Objects = append(out.Objects, string(object))
	}
}

func TestAReaderGivesTheObjectsOfTheBufferHoweverItSplitsThem(t *testing.T) {
	t.Parallel()
	for _, c := range extractionCases {
		want := extract(c.buffer)
		want.Rest = strings.TrimRight(want.Rest, " \t\r\n")
		for split, r := range map[string]io.Reader{
			"whole":                 strings.NewReader(c.buffer),
			"byte by byte":          iotest.OneByteReader(strings.NewReader(c.buffer)),
			"half of what fits":     iotest.HalfReader(strings.NewReader(c.buffer)),
			"the end with the data": iotest.DataErrReader(strings.NewReader(c.buffer)),
			"with empty reads":      &hesitant{r: strings.NewReader(c.buffer)},
		} {
			got, err := read(agent.NewExtractor(r))
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s, %s: %v (-want +got):\n%s", c.name, split, err, diff)
			}
		}
	}
}

// hesitant reads nothing in every second call.
type hesitant struct {
	r     io.Reader
	calls int
}

func (h *hesitant) Read(p []byte) (int, error) {
	if h.calls++; h.calls%2 == 1 {
		return 0, nil
	}
	return h.r.Read(p[:min(3, len(p))])
}

// The input arrives one byte at a time. A scanner that restarts with each read, or with each brace
// of a text, would look at the bytes thousands of times.
func TestAReaderLooksAtEachByteAFewTimes(t *testing.T) {
	t.Parallel()
	for name, input := range adversarial(512 << 10) {
		want := extract(input)
		want.Rest = strings.TrimRight(want.Rest, " \n")
		x := agent.NewExtractor(iotest.OneByteReader(strings.NewReader(input)))
		got, err := read(x)
		if err != nil || got.Rest != want.Rest ||
			strings.Join(got.Objects, "") != strings.Join(want.Objects, "") {
			t.Errorf("%s: %v: %d objects, a rest of %d bytes", name, err, len(got.Objects),
				len(got.Rest))
		}
		if most := 4 * len(input); x.Looks() > most {
			t.Errorf("%s: %d looks at %d bytes, want at most %d", name, x.Looks(), len(input), most)
		}
	}
}

func TestAnObjectComesBeforeMoreIsRead(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer r.Close()
	x := agent.NewExtractor(r)
	go io.WriteString(w, `{"a":1}`+"\n"+`{"b":2}{"c"`) // and then nothing more
	for _, want := range []string{`{"a":1}`, `{"b":2}`} {
		if got, err := x.Next(); err != nil || string(got) != want {
			t.Fatalf("got %s, %v, want %s", got, err, want)
		}
	}
}

// locatedObject is an object, or the rest, with its offset and the text skipped before it.
type locatedObject struct {
	Object string
	Offset int64
	Stray  agent.StrayText
}

// located returns all objects of an extractor.
func located(x *agent.Extractor) (out []locatedObject) {
	for {
		object, err := x.Next()
		if err != nil {
			object = x.Rest()
		}
		out = append(out, locatedObject{string(object), x.Offset(), x.Stray()})
		if err != nil {
			return out
		}
	}
}

func TestEveryObjectHasItsOffsetAndTheTextSkippedBeforeIt(t *testing.T) {
	t.Parallel()
	for input, want := range map[string][]locatedObject{
		"\uFEFF[{\"a\":1}, warn: \"x\"  {\"b\":{}}\r\n,]oh\n{\"c": {
			{`{"a":1}`, 4, agent.StrayText{}},
			{`{"b":{}}`, 24, agent.StrayText{Offset: 13, Length: 9}},
			{`{"c`, 39, agent.StrayText{Offset: 36, Length: 2}},
		},
		"no \"{\" \n{\"a\":1}\n {x} ": {
			{`{"a":1}`, 8, agent.StrayText{Offset: 0, Length: 6}},
			{"", 8, agent.StrayText{Offset: 17, Length: 3}},
		},
		"{\"a\":1}\n{\"b\":{\"c\":2},\"d\":\"cut\n{\"e\":3}": {
			{`{"a":1}`, 0, agent.StrayText{}},
			{`{"e":3}`, 30, agent.StrayText{Offset: 8, Length: 21}},
			{"", 30, agent.StrayText{}},
		},
		`{ {"a":1 {"b":2} {`: {
			{`{"b":2}`, 9, agent.StrayText{Offset: 0, Length: 8}},
			{"{", 17, agent.StrayText{}},
		},
	} {
		for name, r := range map[string]io.Reader{
			"whole":        strings.NewReader(input),
			"byte by byte": iotest.OneByteReader(strings.NewReader(input)),
		} {
			if diff := cmp.Diff(want, located(agent.NewExtractor(r))); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", input, name, diff)
			}
		}
	}
}

// For any input before it, an object on a line is returned with its line or with the next one.
func TestNoTextHoldsBackTheObjectsAfterIt(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`Unexpected token "{" in file`, "unexpected token '{'",
		"npm ERR! unexpected token { in JSON", `{"`, `{"a`, `{"a\`, `{"a"`, `{"a":`,
		`{"a":{`, `{"a":[`, `{"a":"`, `{"a":"\`, `{"a":1,`, `{"a":\`, `{"a":{"b":{"c":1}`, `"`, `\`,
		`}`,
	} {
		r, w := io.Pipe()
		x := agent.NewExtractor(r)
		go io.WriteString(w, text+"\n"+`{"b":1}`+"\n"+`{"c":2}`+"\n") // and then nothing more
		for {
			object, err := x.Next()
			if err != nil {
				t.Fatal(err)
			}
			if string(object) == `{"c":2}` {
				break
			}
		}
		r.Close()
	}
}

func TestTheRestIsWhatTheEndCutOff(t *testing.T) {
	t.Parallel()
	x := agent.NewExtractor(strings.NewReader("{\"a\":1}\n{\"b\":\n \t"))
	if _, err := x.Next(); err != nil || x.Rest() != nil {
		t.Errorf("before the end: %v, rest %q", err, x.Rest())
	}
	for range 2 { // the end stays the end
		if _, err := x.Next(); err != io.EOF || string(x.Rest()) != `{"b":` {
			t.Errorf("at the end: %v, rest %q", err, x.Rest())
		}
	}
}

func TestAnObjectOverTheLimitIsATypedError(t *testing.T) {
	t.Parallel()
	const input = `{"a":1} {"b":"12345"} {"c":1}`
	for limit, want := range map[int]string{
		6:  "agent: the object at byte 0 is larger than 6 bytes",
		7:  "agent: the object at byte 8 is larger than 7 bytes",
		12: "agent: the object at byte 8 is larger than 12 bytes",
		13: "",
		0:  "", // the default
	} {
		for name, r := range map[string]io.Reader{
			"whole":        strings.NewReader(input),
			"byte by byte": iotest.OneByteReader(strings.NewReader(input)),
			"unfinished":   strings.NewReader(input[:20] + strings.Repeat("6", 100)),
		} {
			if want == "" && name == "unfinished" {
				continue
			}
			x := agent.NewExtractor(r, agent.WithObjectLimit(limit))
			_, err := read(x)
			if got := fmt.Sprint(err); want != "" && got != want || want == "" && err != nil {
				t.Errorf("limit %d, %s: %v, want %q", limit, name, err, want)
			}
			if _, again := x.Next(); want != "" && fmt.Sprint(again) != want {
				t.Errorf("limit %d, %s: then %v", limit, name, again)
			}
		}
	}
	_, err := read(agent.NewExtractor(strings.NewReader(input), agent.WithObjectLimit(7)))
	tooLarge, ok := errors.AsType[*agent.ObjectTooLargeError](err)
	if !ok || *tooLarge != (agent.ObjectTooLargeError{Offset: 8, Limit: 7}) {
		t.Errorf("got %#v", err)
	}
}

func TestTheDefaultLimitHoldsBackAnEndlessObject(t *testing.T) {
	if testing.Short() {
		t.Skip("scans 64 MiB")
	}
	t.Parallel()
	endless := io.MultiReader(strings.NewReader(`{"a":"`), zeros{})
	_, err := read(agent.NewExtractor(endless))
	tooLarge, ok := errors.AsType[*agent.ObjectTooLargeError](err)
	if !ok || tooLarge.Limit != agent.DefaultObjectLimit {
		t.Errorf("got %v", err)
	}
}

// zeros is an endless reader.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func TestAReaderThatFailsIsAnErrorAfterItsObjects(t *testing.T) {
	t.Parallel()
	reset := errors.New("connection reset")
	x := agent.NewExtractor(io.MultiReader(strings.NewReader(`{"a":1} {"b"`),
		iotest.ErrReader(reset)))
	got, err := read(x)
	if !errors.Is(err, reset) ||
		err.Error() != "agent: reading events at byte 12: connection reset" {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(all(`{"a":1}`), got); diff != "" {
		t.Error(diff)
	}
	if _, again := x.Next(); again != err {
		t.Errorf("then %v", again)
	}
	if _, err := read(agent.NewExtractor(idle{})); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that never reads: %v", err)
	}
}

// idle reads nothing and returns no error.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestSmallObjectsNeedASmallBuffer(t *testing.T) { // not parallel: it counts allocations
	line := []byte(`{"type":"message","role":"assistant","content":"Hello","delta":true}` + "\n")
	input := bytes.Repeat(line, 10_000)
	allocated := testing.AllocsPerRun(1, func() {
		if _, err := drain(agent.NewExtractor(bytes.NewReader(input))); err != nil {
			t.Error(err)
		}
	})
	if allocated > 20 {
		t.Errorf("%v allocations for 10,000 objects", allocated)
	}
}

// drain counts the objects.
func drain(x *agent.Extractor) (n int, err error) {
	for {
		if _, err := x.Next(); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return n, err
		}
		n++
	}
}

func BenchmarkExtractor(b *testing.B) {
	for name, input := range adversarial(4 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := drain(agent.NewExtractor(strings.NewReader(input))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
