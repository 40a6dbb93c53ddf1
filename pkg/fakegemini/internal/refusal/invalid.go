package refusal

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Invalid is the answer to a request in which gemini.ValidateRequest found violations, in the words
// of the backend from the table [wordings]. Errors of the servers' JSON reader come before all
// others and are listed together. So are errors of single fields on the Gemini API. Of the rest,
// the answer has the first.
//
// If the backend's words are unknown, the message is "Request contains an invalid argument.", with
// the violation as a DebugInfo detail. The servers had such a detail in 2024.
func Invalid(request *received.Request, violations []validation.Violation) *Refusal {
	unreadable, rest := faultsOf(request, violations)
	if len(unreadable) > 0 {
		return notReadable(unreadable)
	}
	var fields []string
	var whole *Refusal
	for _, f := range rest {
		w := f.wording()
		switch {
		case w.field != "":
			fields = append(fields,
				"* "+messageName(request)+"."+f.at.path+w.below+": "+f.fill(w.field)+"\n")
		case whole == nil && w.whole != "":
			whole = New(geminiapi.ErrorStatusInvalidArgument, f.fill(w.whole))
		case whole == nil:
			whole = New(geminiapi.ErrorStatusInvalidArgument,
				"Request contains an invalid argument.").
				with("DebugInfo", geminiapi.ErrorDetail{Detail: new(f.violation.Error())})
		}
	}
	if len(fields) > 0 {
		return New(geminiapi.ErrorStatusInvalidArgument, strings.Join(fields, ""))
	}
	return whole
}

// maxReported is the maximum number of violations in an answer. Each location costs a search.
const maxReported = 100

// faultsOf separates the errors of the servers' JSON reader from the other findings.
func faultsOf(request *received.Request, violations []validation.Violation) (unreadable []fault,
	rest []finding) {
	for _, violation := range violations[:min(len(violations), maxReported)] {
		pointer := request.ContentPointer + violation.Pointer
		f := finding{request: request, violation: violation, pointer: pointer,
			at: locate(request.Body, pointer)}
		if w := f.wording(); w.reader != nil {
			unreadable = append(unreadable, w.reader(f))
			continue
		}
		rest = append(rest, f)
	}
	return unreadable, rest
}

// messageName returns the message type of a request, from its operation.
func messageName(request *received.Request) string {
	if request.Operation == "countTokens" {
		return "CountTokensRequest"
	}
	return "GenerateContentRequest"
}

// finding is a violation with its location.
type finding struct {
	request   *received.Request
	violation validation.Violation
	// pointer is the violation's pointer in the body, and at is the location that it leads to.
	pointer string
	at      location
}

// wording returns the first row of the table that matches, or the zero row.
func (f finding) wording() wording {
	path := "." + strings.Join(f.at.names, ".")
	for _, w := range wordings {
		isHere := w.at == "" || strings.HasSuffix(path, "."+w.at)
		isBackend := w.backend == 0 || w.backend == f.request.Backend
		if w.rule == f.violation.Rule && isHere && isBackend && (w.when == nil || w.when(f)) {
			return w
		}
	}
	return wording{}
}

// fill inserts the values into a message.
func (f finding) fill(template string) string {
	call, content := f.call()
	lowest, highest := f.bounds()
	_, name := up(f.pointer) // the invalid member in camelCase
	return strings.NewReplacer(
		"{value}", f.value(),
		"{name}", name,
		"{field}", f.at.lastName(),
		"{call}", call,
		"{content}", strconv.Itoa(content+1),
		"{model}", f.request.Model,
		"{lowest}", lowest,
		"{highest}", highest,
		"{above}", above(highest),
	).Replace(template)
}

// value returns the invalid value from the request, without quotation marks.
func (f finding) value() string {
	if text, err := strconv.Unquote(string(f.at.value)); err == nil {
		return text
	}
	return string(f.at.value)
}

// call returns the name of the call that a pointer leads to, and the index of its content.
func (f finding) call() (name string, content int) {
	steps := strings.Split(f.violation.Pointer, "/")
	if len(steps) < 5 || steps[1] != "contents" || f.request.Content == nil {
		return "", 0
	}
	content, err := strconv.Atoi(steps[2])
	part, err2 := strconv.Atoi(steps[4])
	if err != nil || err2 != nil {
		return "", 0
	}
	c := f.request.Content.Contents[content].Parts[part].FunctionCall
	if c == nil || c.Name == nil {
		return "", content
	}
	return *c.Name, content
}

// boundsInWords finds the bounds of a number in the text of the check, such as "must be from 0 to
// 2".
var boundsInWords = regexp.MustCompile(`from (-?[0-9.]+) to (-?[0-9.]+)`)

func (f finding) bounds() (lowest, highest string) {
	if found := boundsInWords.FindStringSubmatch(f.violation.Want); found != nil {
		return found[1], found[2]
	}
	return "", ""
}

// above returns the exclusive bound that Vertex AI names for a maximum.
func above(highest string) string {
	if n, err := strconv.Atoi(highest); err == nil {
		return strconv.Itoa(n + 1)
	}
	return highest
}

// isVertexAI reports whether a request was sent to Vertex AI.
func isVertexAI(request *received.Request) bool { return request.Backend == models.VertexAI }
