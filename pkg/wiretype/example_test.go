package wiretype_test

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
)

// A message's content is a string or a list of parts.
func ExampleStringOr() {
	type contentPart struct {
		Type string `json:"type"`
		Text string `json:"text,omitzero"`
	}
	for _, data := range []string{`"Hello"`, `[{"type":"text","text":"Hello"}]`, `null`} {
		var content wiretype.StringOr[[]contentPart]
		if err := json.Unmarshal([]byte(data), &content); err != nil {
			fmt.Println(err)
			return
		}
		if text, ok := content.AsString(); ok {
			fmt.Println("text:", text)
		} else if parts, ok := content.AsValue(); ok {
			fmt.Println("parts:", len(parts))
		} else {
			fmt.Println("nothing")
		}
	}
	// Output:
	// text: Hello
	// parts: 1
	// nothing
}

func ExampleStringOf() {
	stop := wiretype.StringOf[[]string]("END")
	out, err := json.Marshal(stop)
	fmt.Println(string(out), err)
	// Output: "END" <nil>
}

func ExampleValueOf() {
	stop := wiretype.ValueOf([]string{"END", "STOP"})
	out, err := json.Marshal(stop)
	fmt.Println(string(out), err)
	// Output: ["END","STOP"] <nil>
}

// A nil list is null, an empty one is not.
func ExampleNullableList() {
	var unknown wiretype.NullableList[int]
	empty := wiretype.NullableList[int]{}
	out, err := json.Marshal([]wiretype.NullableList[int]{unknown, empty, {104, 105}})
	fmt.Println(string(out), err)
	// Output: [null,[],[104,105]] <nil>
}

// Google writes 64-bit integers as strings and accepts them as numbers.
func ExampleInt64() {
	var limits []wiretype.Int64
	if err := json.Unmarshal([]byte(`["9007199254740993",3,4.0,5e2]`), &limits); err != nil {
		fmt.Println(err)
		return
	}
	for _, limit := range limits {
		fmt.Print(limit.Int64(), " ")
	}
	out, err := json.Marshal(append(limits, wiretype.NewInt64(7)))
	fmt.Println(string(out), err)
	// Output: 9007199254740993 3 4 500 ["9007199254740993",3,4.0,5e2,"7"] <nil>
}
