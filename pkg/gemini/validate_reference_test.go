package gemini_test

import "testing"

func TestAReferenceInAResultNamesMediaOfTheResult(t *testing.T) {
	t.Parallel()
	const media = `,"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA","displayName":"a.png"}}]`
	result := func(members string) string {
		return turns(`u:{"text":"a"}`, `m:{"functionCall":{"name":"f"}}`,
			`u:{"functionResponse":{"name":"f",`+members+`}}`)
	}
	for members, valid := range map[string]bool{
		`"response":{"$ref":"a.png"}` + media:             true,
		`"response":{"a":[{"$ref":"a.png"}]}` + media:     true,
		`"response":{"output":"{\"$ref\":\"#/a\"}"}`:      true,
		`"response":{"properties":{"$ref":{"type":"x"}}}`: true,
		`"response":{"$ref":"a.png"}`:                     false,
		`"response":{"a":[{"$ref":"#/$defs/b"}]}` + media: false,
		`"response":{"\u0024ref":"b"}`:                    false,
	} {
		problem, refused := problemAt(problemsOf(t, result(members)),
			"/contents/2/parts/0/functionResponse/response")
		if refused == valid || refused && problem.Rule != "declared" {
			t.Errorf("%s: refused is %v, %+v", members, refused, problem)
		}
	}
}
