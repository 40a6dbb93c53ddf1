package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestACheckLooksAtTagsAndRules(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, fields, want string }{
		{"a text that must be set", "A string `validate:\"required\"`", `v.A == ""`},
		{"a value", "A string `validate:\"eq=b\"`", `v.A != "b"`},
		{"a choice", "A string `validate:\"oneof=b c\"`", `case "b", "c":`},
		{"a bound", "A int `validate:\"lte=3\"`", `v.A > 3`},
		{"a bound of another field", "A int\nB int `validate:\"gtefield=A\"`", `v.B < v.A`},
		{"a pointer that may be nil", "A *int `validate:\"omitnil,gt=0\"`", `if v.A != nil`},
		{"a pointer that must be set at times", "A string\nB *T `validate:\"required_if=A c\"`", `v.A == "c" && v.B == nil`},
		{"elements", "A []int `validate:\"dive,lt=0\"`", `v.A[i0] >= 0`},
		{"a rule", "", `len(checkT(v)) == 0`},
		{"what a struct holds", "A U", `isValidU(&v.A)`},
		{"what an embedded struct holds", "U", `isValidU(&v.U)`},
		{"values that are not checked", "A chan int `validate:\"-\"`", `isValidT`},

		{"a type that is unknown", "A chan int", "T.A: the type has no codec"},
		{"two names", "A, B int", "the field must have one name"},
		{"a tag that is unknown", "A string `validate:\"ipv4\"`", `T.A: no quick check for the tag "ipv4"`},
		{"a length", "A string `validate:\"gte=1\"`", `T.A: no quick check for the tag "gte=1"`},
		{"a bound of a fraction", "A float64 `validate:\"gte=1\"`", `T.A: no quick check for the tag "gte=1"`},
		{"two conditions", "A string\nB *T `validate:\"required_if=A c A d\"`", `T.B: no quick check for the tag "required_if=A c A d"`},
		{"a struct that must be set", "A U `validate:\"required\"`", `T.A: no quick check for the tag "required"`},
		{"a pointer without omitnil", "A *int `validate:\"gte=1\"`", `T.A: the tag "gte=1" on a pointer without omitnil`},
		{"a map to dive into", "A map[string]U `validate:\"dive\"`", "T.A: dive needs a list"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "t.go"),
				"package t\ntype T struct {\n"+tt.fields+
					"\n}\ntype U struct { N int `validate:\"gte=0\"` }\n"+
					"func checkT(t *T) []int { return nil }\nvar v = New(x.WithRule(checkT))\n")
			var stderr bytes.Buffer
			run([]string{"check", dir + ":T"}, &stderr)
			out, _ := os.ReadFile(filepath.Join(dir, quickCheckName))
			if !strings.Contains(string(out)+stderr.String(), tt.want) {
				t.Errorf("got %s%s", out, stderr.String())
			}
		})
	}
}

func TestACheckOfNoStruct(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Nobody", "place.Nobody", "nowhere.Place"} {
		var stderr bytes.Buffer
		if code := run([]string{"check", "internal/tiny:" + name, "internal/place"},
			&stderr); code != 1 || !strings.Contains(stderr.String(), "no struct "+name) {
			t.Errorf("exit code %d, %s", code, stderr.String())
		}
	}
}
