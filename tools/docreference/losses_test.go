package docreference

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/lossadvice"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	reverserequest "github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
	"github.com/gemwire/gemwire/pkg/transform/forms"
	bridge "github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	bridgerequest "github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
)

// A conversion has no table of what it reports. So the pages are collected: each payload that the
// tests of the conversion have is converted, and then again with each of its values changed. Those
// payloads have every member of the form's description. The entries of all reports are the page.

// direction is one direction of a form: requests or answers.
type direction struct {
	name, title, about string
	found              map[finding]models // the models whose reports have the finding
}

// models is a set of models.
type models map[string]bool

// finding is an entry of a report, without the numbers in its pointer.
type finding struct {
	kind        report.Kind
	member, why string
}

// unknownMembers are the members of payloads that the descriptions do not have. They stand for any
// other such member.
var unknownMembers = regexp.MustCompile(`/(free\d+|mood|colour|not_yet_known|another_server|trace|openrouter|unheardOf)$`)

var (
	number = regexp.MustCompile(`/\d+(/|$)`)
	google = regexp.MustCompile(`/extra_content/google/.*`)
)

// anyUnknown stands for a member that no description has.
const anyUnknown = "/any member that the API does not describe"

// add records the entries of a report for a model, or "" if the conversion depends on no model.
func (d *direction) add(model string, entries report.Report) {
	for _, e := range entries {
		member := e.Pointer
		for number.MatchString(member) { // numbers may follow each other
			member = number.ReplaceAllString(member, "/*$1")
		}
		if e.Kind == report.Lost && strings.HasSuffix(d.name, "reverse-answers") {
			member = google.ReplaceAllString(member, "/extra_content/google/*")
		}
		if unknownMembers.MatchString(member) {
			member = anyUnknown
		}
		f := finding{e.Kind, member, e.Detail}
		if d.found[f] == nil {
			d.found[f] = models{}
		}
		d.found[f][model] = true
	}
}

// lossForm is a page: the losses of a form.
type lossForm struct {
	page, title, about string
	directions         []*direction
}

func newDirection(name, title, about string) *direction {
	return &direction{name, title, about, map[finding]models{}}
}

// baseModel is the model whose findings have no mark on the pages.
const baseModel = "gemini-3.6-flash"

// targets are the models and services of the converted requests: a new model, a model that thinks
// by budgets, and a model that draws.
var targets = []transform.Target{
	{Model: baseModel},
	{Model: baseModel, ForVertexAI: true},
	{Model: "gemini-2.5-flash"},
	{Model: "gemini-2.5-flash", ForVertexAI: true},
	{Model: "gemini-3.1-flash-image"},
	{Model: "gemini-3.1-flash-image", ForVertexAI: true},
}

// collect converts all payloads.
func collect(t *testing.T) []lossForm {
	titles := map[string][3]string{
		"chat_completions": {"chat-completions", "chat_completions", "internal/test/openaitest/requests"},
		"responses":        {"responses", "the Responses API", "pkg/transform/responses/request/testdata"},
		"messages":         {"messages", "Messages", "pkg/transform/messages/request/testdata"},
		"interactions":     {"interactions", "the Interactions API", "pkg/transform/interactions/request/testdata"},
	}
	var out []lossForm
	for _, f := range forms.All() {
		title := titles[f.Name]
		requests := newDirection(title[0]+"-requests", "Requests to Gemini", "A program sends a request of "+title[1]+", and the gateway converts it for Gemini.")
		for _, document := range documents(t, title[2], "*.json") {
			for _, changed := range append(changes(t, document), document) {
				for _, target := range targets {
					in, err := f.Decode(changed)
					if err != nil {
						break // the change made it invalid
					}
					_, entries, _ := in.ToGemini(target) // a refusal has a report, too
					requests.add(target.Model, entries)
				}
			}
		}
		answers := newDirection(title[0]+"-answers", "Answers from Gemini", "Gemini answers, and the gateway converts the answer to "+title[1]+". The same holds for streams.")
		for _, answer := range filledAnswers() {
			_, entries, _ := f.New().AppendAnswer(nil, answer, &transform.Options{})
			answers.add("", entries)
		}
		page := lossForm{title[0], "What is lost with " + title[1], "", []*direction{requests, answers}}
		if f.Name == "interactions" {
			page.about = "[Interactions](../../interactions.md) explains both directions of the bridge."
			page.directions = append(page.directions, collectBridge(t)...)
		}
		out = append(out, page)
	}
	return append(out, collectAISDK(), collectReverse(t))
}

func collectAISDK() lossForm {
	answers := newDirection("ai-sdk-answers", "Answers from Gemini", "`gemwire convert --to aisdk` and `pkg/transform/aisdk` write streams of Gemini as parts of the AI SDK.")
	for _, answer := range filledAnswers() {
		stream := aisdk.NewStream()
		_, err := stream.Push(answer)
		if _, closed := stream.Close(err); err == nil && closed != nil {
			err = closed
		}
		entries := stream.Report()
		for i := range entries { // the number of the chunk in the stream
			_, entries[i].Pointer, _ = strings.Cut(strings.TrimPrefix(entries[i].Pointer, "/"), "/")
			entries[i].Pointer = "/" + entries[i].Pointer
		}
		answers.add("", entries)
	}
	return lossForm{"ai-sdk", "What is lost with AI SDK parts",
		"The AI SDK's own providers use the other APIs of the gateway. The pages of these APIs list their losses.", []*direction{answers}}
}

// collectBridge converts for programs that call generateContent and use models of the Interactions
// API.
func collectBridge(t *testing.T) []*direction {
	requests := newDirection("bridge-requests", "Requests to the Interactions API",
		"A program calls generateContent with a model or an agent of the Interactions API.")
	targets := map[string][]bridgerequest.Option{
		baseModel: {bridgerequest.ForModel(baseModel), bridgerequest.WithoutValidation()},
		"on Vertex AI": {bridgerequest.ForModel(baseModel), bridgerequest.ForVertexAI(),
			bridgerequest.WithoutValidation()},
	}
	convert := func(in *geminiapi.GenerateContentRequest) {
		for model, opts := range targets {
			_, entries, _ := bridgerequest.FromGemini(in, opts...)
			requests.add(model, entries)
		}
	}
	for _, document := range documents(t, "pkg/transform/interactions/reverse/request/testdata", "*.gemini.json") {
		for _, changed := range append(changes(t, document), document) {
			if in, err := gemini.DecodeRequest(changed); err == nil {
				convert(in)
			}
		}
	}
	user := []geminiapi.Content{gemini.UserText("?")}
	for _, in := range each[geminiapi.GenerateContentRequest]() {
		if in.Contents == nil {
			in.Contents = user
		}
		convert(&in)
	}
	for _, config := range each[geminiapi.GenerationConfig]() {
		convert(&geminiapi.GenerateContentRequest{Contents: user, GenerationConfig: &config})
	}
	for _, part := range each[geminiapi.Part]() {
		convert(&geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{
			{Role: new("user"), Parts: []geminiapi.Part{part}}}})
	}
	answers := newDirection("bridge-answers", "Answers of the Interactions API",
		"The interaction comes back as an answer of generateContent. The extension `extraContent` keeps what Gemini has no field for; these are the losses for a client that drops it.")
	for _, document := range documents(t, "pkg/transform/interactions/reverse/testdata", "*.json") {
		for _, changed := range append(changes(t, document), document) {
			if in, err := interactions.DecodeResponse(changed); err == nil {
				_, entries, _ := bridge.ToGemini(in, bridge.WithoutExtensions())
				answers.add("", entries)
			}
		}
	}
	for _, in := range each[interactionsapi.Interaction]() {
		_, entries, _ := bridge.ToGemini(&in, bridge.WithoutExtensions())
		answers.add("", entries)
	}
	return []*direction{requests, answers}
}

// collectReverse converts for a server of chat_completions.
func collectReverse(t *testing.T) lossForm {
	requests := newDirection("reverse-requests", "Requests to a server of chat_completions",
		"A client of Gemini sends a request, and a server of chat_completions gets it. The server does not know Google's extensions.")
	opts := []reverserequest.Option{reverserequest.WithoutExtensions(), reverserequest.WithoutValidation()}
	for _, document := range documents(t, "pkg/transform/chat/reverse/request/testdata", "*.gemini.json") {
		for _, changed := range append(changes(t, document), document) {
			in, err := gemini.DecodeRequest(changed)
			if err != nil {
				continue
			}
			_, entries, _ := reverserequest.FromGemini(in, opts...)
			requests.add("", entries)
		}
	}
	user := []geminiapi.Content{gemini.UserText("?")}
	for _, in := range each[geminiapi.GenerateContentRequest]() {
		if in.Contents == nil {
			in.Contents = user
		}
		_, entries, _ := reverserequest.FromGemini(&in, opts...)
		requests.add("", entries)
	}
	for _, config := range each[geminiapi.GenerationConfig]() {
		_, entries, _ := reverserequest.FromGemini(&geminiapi.GenerateContentRequest{Contents: user, GenerationConfig: &config}, opts...)
		requests.add("", entries)
	}
	for _, part := range each[geminiapi.Part]() {
		_, entries, _ := reverserequest.FromGemini(&geminiapi.GenerateContentRequest{
			Contents: []geminiapi.Content{{Role: new("user"), Parts: []geminiapi.Part{part}}}}, opts...)
		requests.add("", entries)
	}
	answers := newDirection("reverse-answers", "Answers of a server of chat_completions",
		"The server answers, and the client gets the answer as Gemini would send it.")
	for _, document := range documents(t, "pkg/transform/chat/reverse/testdata", "*.chat.json") {
		for _, changed := range append(changes(t, document), document) {
			in, err := openai.DecodeResponse(changed)
			if err != nil {
				continue
			}
			_, entries, _ := reverse.ToGemini(in)
			answers.add("", entries)
		}
	}
	for _, in := range each[openaiapi.CreateChatCompletionResponse]() {
		_, entries, _ := reverse.ToGemini(&in)
		answers.add("", entries)
	}
	return lossForm{"gemini-clients", "What is lost for Gemini's clients on chat_completions",
		"`gemwire serve --upstream openai` is [the way back](../../way-back.md): clients of Gemini on a server of chat_completions.",
		[]*direction{requests, answers}}
}

func documents(t *testing.T, folder, pattern string) [][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s has no payloads: %v", folder, err)
	}
	var out [][]byte
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data)
	}
	return out
}

// changes returns a document with each of its leaves changed in turn.
func changes(t *testing.T, document []byte) [][]byte {
	t.Helper()
	leaves, err := leaftest.All(document)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]byte, len(leaves))
	for i, leaf := range leaves {
		out[i] = leaf.Change(document)
	}
	return out
}

// filledAnswers returns answers that together have every member of the description.
func filledAnswers() []*geminiapi.GenerateContentResponse {
	answered, refused := &geminiapi.GenerateContentResponse{}, &geminiapi.GenerateContentResponse{}
	leaftest.Fill(answered)
	leaftest.Fill(refused)
	answered.PromptFeedback.BlockReason = nil
	refused.Candidates = nil
	answered.Candidates[0].Content.Parts = []geminiapi.Part{{Text: new("text of an answer")}}
	out := []*geminiapi.GenerateContentResponse{answered, refused}
	for _, part := range each[geminiapi.Part]() {
		out = append(out, &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{
			{Content: &geminiapi.Content{Parts: []geminiapi.Part{part}}}}})
	}
	return out
}

// each returns structs of which each has one member.
func each[T any]() map[string]T {
	out := leaftest.FillEach[T]()
	maps.DeleteFunc(out, func(name string, _ T) bool { return strings.Contains(name, " without ") })
	return out
}

// lossPages returns the page of each form and the page that leads to them.
func lossPages(t *testing.T) map[string]string {
	pages := map[string]string{}
	all := collect(t)
	used := map[*lossadvice.Advice]bool{}
	var table strings.Builder
	for _, form := range all {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n\n", form.title)
		if form.about != "" {
			fmt.Fprintf(&b, "%s\n\n", form.about)
		}
		b.WriteString("A member is a field of a JSON object. These tables name it by a JSON pointer, in which `*` stands for a number or a\n" +
			"name. The report of a request has the exact pointer. [How to see a report](../losses.md#see-what-a-request-lost).\n")
		for _, d := range form.directions {
			if len(d.found) < 5 {
				t.Errorf("%s has only %d entries", d.name, len(d.found))
			}
			writeDirection(t, &b, d, used)
			table.WriteString(row(fmt.Sprintf("[%s](losses/%s.md)", strings.TrimPrefix(strings.TrimPrefix(form.title, "What is lost with "), "What is lost for "), form.page),
				d.title, fmt.Sprint(d.count(report.Lost)), fmt.Sprint(d.count(report.Approximated)), fmt.Sprint(d.count(report.Added))))
		}
		pages["losses/"+form.page+".md"] = b.String()
	}
	advices := lossadvice.All()
	for i := range advices {
		if !used[&advices[i]] {
			t.Errorf("no loss has the advice for %s %s", advices[i].In, advices[i].Member)
		}
	}
	pages["losses.md"] = fmt.Sprintf(lossesIntroduction, head("API", "direction", "fields lost", "fields changed", "fields added")+table.String())
	return pages
}

// mark names the models of a finding at the end of its reason, unless the base model is among
// them.
func (m models) mark() string {
	if m[""] || m[baseModel] {
		return ""
	}
	return " (`" + strings.Join(slices.Sorted(maps.Keys(m)), "`, `") + "`)"
}

func (d *direction) count(kind report.Kind) int {
	members := map[string]bool{}
	for f := range d.found {
		if f.kind == kind {
			members[f.member] = true
		}
	}
	return len(members)
}

func writeDirection(t *testing.T, b *strings.Builder, d *direction, used map[*lossadvice.Advice]bool) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n", d.title, d.about)
	if d.count(report.Lost) == 0 {
		b.WriteString("\nNo value is lost.\n")
	}
	for _, part := range []struct {
		kind        report.Kind
		title, text string
	}{
		{report.Lost, "Lost", "These values do not arrive. Strict mode refuses them."},
		{report.Approximated, "Changed", "These values arrive in another form, or something else carries their meaning. You need not change anything."},
		{report.Added, "Added", "The other API needs these values, and the payload does not have them."},
	} {
		rows := d.rows(part.kind)
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n### %s\n\n%s\n\n", part.title+" in "+strings.ToLower(d.title[:1])+d.title[1:], part.text)
		if part.kind != report.Lost {
			b.WriteString(head("member", "what happens"))
			for _, r := range rows {
				b.WriteString(row(r.members(), r.why))
			}
			continue
		}
		b.WriteString(head("member", "why", "what to do"))
		for _, r := range rows {
			a := lossadvice.For(d.name, r.parent+"/"+r.names[0])
			if a == nil {
				t.Errorf("%s: no advice for %s: %s", d.name, r.parent+"/"+r.names[0], r.why)
				continue
			}
			used[a] = true
			b.WriteString(row(r.members(), r.why, a.Text))
		}
	}
}

// lossRow is members of one parent that have the same reason and the same advice.
type lossRow struct {
	parent, why string
	names       []string
}

func (r lossRow) members() string {
	if r.parent+"/"+r.names[0] == anyUnknown {
		return anyUnknown[1:]
	}
	if len(r.names) == 1 {
		return code(r.parent + "/" + r.names[0])
	}
	var names []string
	for _, name := range r.names {
		if r.parent == "" {
			name = "/" + name
		}
		names = append(names, code(name))
	}
	if r.parent == "" {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("of `%s`: %s", r.parent, strings.Join(names, ", "))
}

// rows returns the findings of a kind as rows, by the order of their members.
func (d *direction) rows(kind report.Kind) []lossRow {
	findings := slices.SortedFunc(maps.Keys(d.found), func(a, b finding) int {
		return strings.Compare(a.member+"\x00"+a.why, b.member+"\x00"+b.why)
	})
	var out []lossRow
	for _, f := range findings {
		if f.kind != kind {
			continue
		}
		why := f.why + d.found[f].mark()
		i := strings.LastIndexByte(f.member, '/')
		r := lossRow{"", why, []string{"the whole"}}
		if i >= 0 {
			r = lossRow{f.member[:i], why, []string{f.member[i+1:]}}
		}
		same := func(other lossRow) bool {
			return other.parent == r.parent && other.why == r.why && f.member != anyUnknown &&
				lossadvice.For(d.name, other.parent+"/"+other.names[0]) == lossadvice.For(d.name, f.member)
		}
		if at := slices.IndexFunc(out, same); at >= 0 {
			out[at].names = append(out[at].names, r.names[0])
		} else {
			out = append(out, r)
		}
	}
	return out
}

// Strict mode refuses a request for what the page calls lost, so that the page and the gateway mean
// the same.
func TestStrictModeRefusesWhatThePagesCallLost(t *testing.T) {
	t.Parallel()
	chat := forms.All().Named("chat_completions")
	in, err := chat.Decode([]byte(`{"model":"gemini-3.6-flash","user":"u","messages":[{"role":"user","content":"hello"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, entries, err := in.ToGemini(targets[0])
	if err != nil {
		t.Fatal(err)
	}
	refused, ok := errors.AsType[*report.LossError](entries.Strict())
	if !ok || refused.Lost[0].Pointer != "/user" {
		t.Errorf("got %v", entries)
	}
	if lossadvice.For("chat-completions-requests", "/user") == nil {
		t.Error("no advice for /user")
	}
}
