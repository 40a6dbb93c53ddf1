package gemini_test

import "testing"

// The API's own content is sent back to it unchanged, even if no description lists it. In the
// caller's own content the same is a mistake.
func TestUndescribedValuesAreValidInATurnOfTheModel(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ part, pointer string }{
		"a member":            {`{"text":"a","newMember":1}`, "/newMember"},
		"a member further in": {`{"executableCode":{"code":"1","newMember":1}}`, "/executableCode/newMember"},
		"a kind of part":      {`{"newKind":{"a":1}}`, "/newKind"},
		"silence":             {`{"inlineData":{"mimeType":"audio/L16;rate=24000"}}`, "/inlineData/data"},
		"a value of an enum":  {`{"codeExecutionResult":{"outcome":"OUTCOME_NEW"}}`, "/codeExecutionResult/outcome"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if problems := problemsOf(t,
				turns(`u:{"text":"a"}`, "m:"+test.part, `u:{"text":"b"}`)); problems != nil {
				t.Errorf("the model's is refused: %v", problems)
			}
			if _, ok := problemAt(problemsOf(t, turns("u:"+test.part)),
				"/contents/0/parts/0"+test.pointer); !ok {
				t.Error("the caller's is taken")
			}
		})
	}
	problems := problemsOf(t,
		`{"systemInstruction":{"role":"model","parts":[{"text":"a","newMember":1}]},"contents":[{"role":"model","newMember":1,"parts":[{"text":"a"}]}],"tools":[{"newMember":{}}]}`)
	if _, ok := problemAt(problems, "/contents/0/newMember"); ok {
		t.Error("a member of the model's turn is refused")
	}
	for _, pointer := range []string{"/systemInstruction/parts/0/newMember", "/tools/0/newMember"} {
		if _, ok := problemAt(problems, pointer); !ok {
			t.Errorf("%s is taken", pointer)
		}
	}
}
