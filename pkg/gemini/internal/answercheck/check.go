// Package answercheck checks whether the API could have sent an answer or the chunks of a stream.
// Package gemini documents the rules.
//
// The types, ranges, formats and required members are in described.gen.go, a table that is
// generated from api/openapi/gemini.yaml; package payloadcheck checks the bytes against it. The
// rules of this package span several members. No recorded answer breaks a rule, except answers that
// people edited by hand.
package answercheck

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/payloadcheck"
	"github.com/gemwire/gemwire/pkg/validation"
)

//go:generate go run ../../../../tools/codecgen described .:GenerateContentResponse:protojson ../../../../api/openapi/gemini.yaml

// The names of the rules. They match the names in package payloadcheck for the same rules.
const (
	ruleRequired  = "required"
	ruleUnique    = "unique"     // a duplicate
	ruleRole      = "role"       // the role is not the model's
	ruleOneMember = "one_member" // exactly one of several members must be set
	ruleContinues = "continues"  // a piece of a call without a beginning
	ruleSum       = "sum"        // counts do not add up
	ruleWithin    = "within"     // a count or an index is out of range
	ruleOrder     = "order"      // a range ends before it begins
	ruleLength    = "length"     // two lists, or a text and its range, differ in length
	ruleIdentity  = "identity"   // a chunk belongs to another answer
	ruleContent   = "content"    // a candidate has no content
	ruleMIMEType  = "mime_type"  // the type of media is not a MIME type
	ruleRefusal   = "refusal"    // a prompt is refused and answered
)

// Response checks a whole answer. data is its bytes, and r the decoded answer.
func Response(data []byte, r *geminiapi.GenerateContentResponse) []validation.Violation {
	c := checker{isWhole: true}
	c.response(r)
	c.end(r)
	return c.locate(data)
}

// Chunk checks one chunk of a stream by itself.
func Chunk(data []byte, r *geminiapi.GenerateContentResponse) []validation.Violation {
	var c checker
	c.response(r)
	return c.locate(data)
}

// locate returns the findings with their positions. The findings of the table come first.
func (c *checker) locate(data []byte) []validation.Violation {
	found := append(Table(data), c.found...)
	payloadcheck.Locate(data, found)
	return found
}

// checker is the state of one check of an answer or a chunk.
type checker struct {
	isWhole bool
	found   []validation.Violation
}

// report reports an error. Pointers have only names and numbers that need no escapes.
func (c *checker) report(pointer, rule, want string) {
	c.add(validation.Violation{Pointer: pointer, Rule: rule, Want: want})
}

// number reports an error about a number.
func (c *checker) number(pointer, rule string, value int, want string) {
	c.add(validation.Violation{Pointer: pointer, Rule: rule, Value: strconv.Itoa(value),
		Want: want})
}

// maxFindings prevents a hostile answer from filling the memory with findings.
const maxFindings = 1000

func (c *checker) add(v validation.Violation) {
	if len(c.found) < maxFindings {
		c.found = append(c.found, v)
	}
}

// element returns the pointer of an element.
func element(list string, index int) string { return list + "/" + strconv.Itoa(index) }

// response applies the rules for answers and chunks.
func (c *checker) response(r *geminiapi.GenerateContentResponse) {
	taken := map[int]bool{}
	for i := range r.Candidates {
		candidate, at := &r.Candidates[i], element("/candidates", i)
		if index := indexOf(candidate); taken[index] {
			c.number(at+"/index", ruleUnique, index,
				"must differ from the index of any earlier candidate")
		} else {
			taken[index] = true
		}
		c.candidate(at, candidate)
	}
	for _, member := range []struct {
		name  string
		value *string
	}{{"responseId", r.ResponseID}, {"modelVersion", r.ModelVersion}} {
		if member.value != nil && *member.value == "" {
			c.report("/"+member.name, ruleRequired,
				"must not be empty; the API omits a member without a value")
		}
	}
	if f := r.PromptFeedback; f != nil && f.BlockReason != nil && len(r.Candidates) > 0 {
		c.report("/promptFeedback/blockReason", ruleRefusal,
			"must be absent, because there is a candidate")
	}
	if r.UsageMetadata != nil {
		c.usage("/usageMetadata", r.UsageMetadata)
	}
}

// end applies the rules for whole answers only.
func (c *checker) end(r *geminiapi.GenerateContentResponse) {
	c.callIDs(r)
	if len(r.Candidates) == 0 && (r.PromptFeedback == nil || r.PromptFeedback.BlockReason == nil) {
		c.report("/candidates", ruleRequired,
			"must hold a candidate, or promptFeedback a blockReason")
	}
	for i := range r.Candidates {
		if r.Candidates[i].FinishReason == nil {
			c.report(element("/candidates", i)+"/finishReason", ruleRequired,
				"must say why the candidate ended")
		}
	}
}

// callIDs checks that the calls of a candidate have unique ids.
func (c *checker) callIDs(r *geminiapi.GenerateContentResponse) {
	for i := range r.Candidates {
		content, taken := r.Candidates[i].Content, map[string]bool{}
		if content == nil {
			continue
		}
		for j := range content.Parts {
			c.callID(element(element("/candidates", i)+"/content/parts", j), &content.Parts[j],
				taken)
		}
	}
}

// callID checks that a call which begins in a part has a different id than earlier calls.
func (c *checker) callID(at string, p *geminiapi.Part, taken map[string]bool) {
	if p.FunctionCall == nil || jsonx.Deref(p.FunctionCall.Name) == "" {
		return
	}
	if id := jsonx.Deref(p.FunctionCall.ID); id != "" {
		if taken[id] {
			c.report(at+"/functionCall/id", ruleUnique,
				"must differ from the id of any earlier call")
		}
		taken[id] = true
	}
}

// indexOf returns the index of a candidate. Vertex AI omits 0.
func indexOf(c *geminiapi.Candidate) int {
	if c.Index == nil {
		return 0
	}
	return *c.Index
}

// Table returns the findings of the table for a body that may not decode.
func Table(data []byte) []validation.Violation {
	return payloadcheck.Check(described, "GenerateContentResponse", data)
}
