package schema_test

// schemas are JSON Schema documents of many kinds, with their meaning. Together they have every
// known keyword in every possible place.
var schemas = map[string]string{
	"tool": toolSchema,

	"strings": `{"type":"object","properties":{
		"plain":{"type":"string"},
		"bounded":{"type":"string","minLength":2,"maxLength":40},
		"matched":{"type":"string","pattern":"^[a-z]+$"},
		"dated":{"type":"string","format":"date-time"},
		"chosen":{"type":"string","enum":["red","green"]},
		"fixed":{"type":"string","const":"yes"}}}`,
	"lengths in other forms": `{"type":"string","minLength":"3","maxLength":4.0}`,
	"impossible lengths":     `{"type":"string","minLength":-1,"maxLength":2.5,"minItems":1e30}`,

	"numbers": `{"type":"object","properties":{
		"count":{"type":"integer","minimum":0,"maximum":10},
		"beyond":{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":10},
		"ratio":{"type":"number","exclusiveMinimum":0.5,"exclusiveMaximum":1.5},
		"half":{"type":"integer","exclusiveMinimum":2.5,"exclusiveMaximum":7.5},
		"both":{"type":"integer","minimum":3,"exclusiveMinimum":1,"maximum":9,"exclusiveMaximum":12},
		"step":{"type":"number","multipleOf":0.25},
		"sized":{"type":"integer","format":"int64"}}}`,
	"bounds of draft 4": `{"type":"object","properties":{
		"open":{"type":"integer","minimum":1,"exclusiveMinimum":true,"maximum":5,"exclusiveMaximum":true},
		"closed":{"type":"number","minimum":1,"exclusiveMinimum":false},
		"lonely":{"type":"number","exclusiveMaximum":true}}}`,
	"large numbers": `{"type":"integer","minimum":9007199254740993,"maximum":123456789012345678901234567890}`,
	"huge numbers":  `{"type":"number","minimum":1e400,"maximum":1e-400}`,

	"listed numbers":            `{"type":"object","properties":{"a":{"enum":[1,2,3]},"b":{"type":"integer","enum":[10,20,40]},"c":{"type":"number","enum":[0.5,1.5]},"d":{"const":7},"e":{"const":true},"f":{"enum":[true,false]}}}`,
	"listed numbers as strings": `{"type":"string","enum":["auto",1,2.5,true]}`,
	"a list of many kinds":      `{"description":"d","default":20,"enum":["a","b",10,20,true,null,{"x":1},[2]]}`,
	"a list with empties":       `{"type":"string","enum":["","a"]}`,
	"a list of another type":    `{"type":"integer","enum":["1","2"]}`,
	"a list with null":          `{"type":"string","enum":["a",null]}`,
	"a constant null":           `{"type":"object","properties":{"nothing":{"const":null},"gone":{"type":"null"}}}`,

	"types":                   `{"type":["string","integer","null"],"minLength":1,"minimum":5,"format":"uuid","description":"an id","default":7,"examples":["x"]}`,
	"all types":               `{"type":["array","object","boolean","number","integer","string","null"],"items":{"type":"string"},"properties":{"a":{"type":"string"}},"title":"t"}`,
	"no types":                `{"properties":{"a":{"items":{"minimum":3}},"b":{"maxLength":4},"c":{"format":"date"},"d":{"format":"int32"},"e":{"pattern":"x","maximum":2}}}`,
	"unknown types":           `{"type":["string","text"]}`,
	"no type at all":          `{"type":"text","description":"d"}`,
	"types in capitals":       `{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true},"b":{"type":"Integer","nullable":false}},"propertyOrdering":["b","a"],"example":{"a":"x"}}`,
	"keywords of other types": `{"type":"string","minimum":3,"items":{"type":"string"},"required":["a"],"minItems":2}`,

	"any value": `{"type":"object","properties":{"a":{},"b":true,"c":{"description":"anything"},"d":{"nullable":false}}}`,
	"no value":  `{"type":"object","properties":{"a":false,"b":{"type":"array","items":false},"c":{"not":{}}},"required":["a"]}`,
	"true":      `true`,
	"false":     `false`,

	"annotations":           `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://example.com/s","$comment":"c","$vocabulary":{"https://example.com/v":true},"type":"string","title":"t","description":"d","default":"x","examples":["a","b","c"],"deprecated":true,"readOnly":true,"writeOnly":false,"contentEncoding":"base64","contentMediaType":"image/png","contentSchema":{"type":"object"}}`,
	"one example":           `{"type":"string","examples":["a"]}`,
	"two kinds of examples": `{"type":"string","example":"x","examples":["a","b"]}`,
	"ancient annotations":   `{"$schema":"http://json-schema.org/draft-04/schema#","id":"http://example.com/old","type":"string"}`,
	"unknown keywords":      `{"type":"object","properties":{"a":{"type":"string","x-order":1,"encrypted":true}},"discriminator":{"propertyName":"a","mapping":{"x":"y"}},"xml":{"name":"n"}}`,

	"objects":      `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","missing"],"minProperties":1,"maxProperties":2,"additionalProperties":false,"patternProperties":{"^x-":{"type":"string"}},"propertyNames":{"pattern":"^[a-z]"},"unevaluatedProperties":false,"dependentRequired":{"a":["b"]},"dependentSchemas":{"a":{"minProperties":2}},"dependencies":{"b":["a"]}}`,
	"maps":         `{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string","maxLength":63}},"free":{"type":"object","additionalProperties":true}}}`,
	"free object":  `{"type":"object"}`,
	"empty object": `{"type":"object","properties":{"nothing":{"type":"object","properties":{}}}}`,
	"names":        `{"type":"object","properties":{"a/b":{"x":1},"c~d":{"y":2},"é \"q\"":{"z":3},"":{"w":4},"type":{"type":"string"},"$ref":{"type":"string"},"properties":{"type":"object","properties":{"items":{"type":"string"}}}}}`,

	"lists":             `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":5,"uniqueItems":true},"b":{"type":"array","contains":{"type":"string"},"minContains":1,"maxContains":2,"unevaluatedItems":false},"c":{"type":"array"}}}`,
	"tuples":            `{"type":"object","properties":{"point":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false},"pair":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"boolean"}}}}`,
	"tuples of draft 7": `{"type":"object","properties":{"closed":{"type":"array","items":[{"type":"number"},{"type":"string"}],"additionalItems":false},"open":{"type":"array","items":[{"type":"number"}],"additionalItems":{"type":"string"}},"idle":{"type":"array","items":{"type":"string"},"additionalItems":false}}}`,

	"references":            `{"type":"object","properties":{"home":{"$ref":"#/$defs/address"},"work":{"$ref":"#/$defs/address","description":"At work","title":"Work"}},"$defs":{"address":{"type":"object","description":"An address","title":"Address","properties":{"street":{"type":"string"},"country":{"$ref":"#/$defs/country"}},"required":["street"]},"country":{"type":"string","enum":["NO","SE"]},"unused":{"type":"number"}}}`,
	"references by pointer": `{"type":"object","properties":{"a":{"type":"string","maxLength":3},"b":{"$ref":"#/properties/a"},"c":{"$ref":"#/x~1y/d%C3%A9f/0"},"d":{"$ref":"#/definitions/percent%25~0"}},"x/y":{"déf":[{"type":"integer"},{"type":"string"}],"rest":1},"definitions":{"percent%~":{"type":"boolean"}}}`,
	"references by name":    `{"type":"object","properties":{"a":{"$ref":"#pet"},"b":{"$ref":"https://example.com/item"},"c":{"$ref":"https://example.com/item#/$defs/inner"},"d":{"$dynamicRef":"#node"},"e":{"$ref":"#old"}},"$defs":{"p":{"$anchor":"pet","type":"string"},"i":{"$id":"https://example.com/item","type":"object","properties":{"x":{"$ref":"#/$defs/inner"}},"$defs":{"inner":{"type":"integer"}}},"n":{"$dynamicAnchor":"node","type":"number"},"o":{"id":"#old","type":"boolean"},"u":{"$anchor":"unused","type":"null"}},"$recursiveAnchor":false}`,
	"reference at the top":  `{"$ref":"#/$defs/root","$defs":{"root":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}}`,

	"alternatives":            `{"description":"A shape","title":"Shape","anyOf":[{"type":"object","description":"Round","title":"Circle","properties":{"radius":{"type":"number"}}},{"type":"object","properties":{"width":{"type":"number"},"height":{"type":"number"}}}]}`,
	"exclusive alternatives":  `{"oneOf":[{"type":"string","maxLength":5},{"type":"integer","minimum":100}],"default":"abc"}`,
	"optional":                `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"A"},"b":{"oneOf":[{"const":null},{"type":"integer"}]},"c":{"anyOf":[{"type":"string"},{"type":"integer"},{"enum":[null],"description":"none"}]}}}`,
	"one of either":           `{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"}},"anyOf":[{"required":["id"]},{"required":["name"]}]}`,
	"nested alternatives":     `{"anyOf":[{"type":"string"},{"anyOf":[{"type":"integer"},{"type":["boolean","number"]}]}]}`,
	"two choices":             `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}],"oneOf":[{"required":["c"]},{"maxProperties":1}]}`,
	"impossible alternatives": `{"type":"string","anyOf":[{"minLength":3},{"type":"integer","minimum":4},false,{"type":"null"}]}`,
	"a union with kinds":      `{"oneOf":[{"$ref":"#/$defs/cat"},{"$ref":"#/$defs/dog"}],"$defs":{"cat":{"type":"object","properties":{"kind":{"const":"cat"},"lives":{"type":"integer"}},"required":["kind","lives"]},"dog":{"type":"object","properties":{"kind":{"const":"dog"},"tricks":{"type":"array","items":{"type":"string"}}},"required":["kind"]}},"discriminator":{"propertyName":"kind"}}`,
	"labelled values":         `{"type":"string","oneOf":[{"const":"lo","title":"Low","description":"Slow"},{"const":"hi","title":"High"}]}`,

	"everything at once": `{"allOf":[{"$ref":"#/definitions/base"},{"type":"object","properties":{"own":{"type":"string"}},"required":["own"],"description":"Derived"}],"definitions":{"base":{"type":"object","description":"Base","properties":{"id":{"type":"integer"}},"required":["id"]}}}`,
	"merged":             `{"type":"object","properties":{"n":{"allOf":[{"type":"integer","minimum":1,"maximum":9},{"type":"number","minimum":3,"maximum":20}]},"s":{"allOf":[{"type":["string","null"],"enum":["a","b","c"],"minLength":1},{"enum":["b","c","d"],"minLength":2,"pattern":"x"},{"pattern":"y","format":"date"}]},"p":{"allOf":[{"type":"object","properties":{"q":{"type":"string"}}},{"properties":{"q":{"maxLength":3},"r":{"type":"string"}}}]}}}`,
	"contradictions":     `{"type":"object","properties":{"t":{"allOf":[{"type":"string"},{"type":"integer"}]},"e":{"allOf":[{"enum":["a"]},{"enum":["b"]}]}}}`,
	"conditions":         `{"type":"object","properties":{"a":{"type":"string"}},"if":{"properties":{"a":{"const":"x"}}},"then":{"required":["a"]},"else":{"maxProperties":0},"not":{"required":["z"]}}`,

	"malformed keywords": `{"type":"object","title":1,"description":["d"],"required":"a","properties":{"a":{"type":5,"minimum":"3","enum":"x","minLength":"long"},"b":"string","c":{"type":"string","nullable":"yes","format":7,"pattern":{}},"d":{"type":"array","items":7,"prefixItems":{}},"e":{"anyOf":{},"allOf":{"a":1},"examples":"x"},"f":{"type":"object","properties":[1],"required":[1,"z"],"propertyOrdering":3}}}`,
	"nulls":              `{"type":"object","description":null,"properties":{"a":{"type":"string","enum":null,"items":null},"b":null},"required":null,"$defs":null}`,

	"a strict answer":             `{"type":"object","properties":{"steps":{"type":"array","items":{"$ref":"#/$defs/step"}},"final":{"type":["string","null"]}},"required":["steps","final"],"additionalProperties":false,"$defs":{"step":{"type":"object","properties":{"why":{"type":"string"},"how":{"type":"string"}},"required":["why","how"],"additionalProperties":false}}}`,
	"an optional reference":       `{"type":"object","properties":{"owner":{"anyOf":[{"$ref":"#/$defs/Person"},{"type":"null"}],"default":null},"kind":{"$ref":"#/$defs/Kind","default":"small"},"all":{"allOf":[{"$ref":"#/$defs/Kind"}],"description":"One of the kinds"}},"required":["kind"],"$defs":{"Kind":{"enum":["small","large"],"title":"Kind","type":"string"},"Person":{"type":"object","title":"Person","properties":{"name":{"title":"Name","type":"string"}},"required":["name"]}}}`,
	"a list of alternatives":      `{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"number"}}],"description":"a part"},"maxItems":10}`,
	"alternatives with a default": `{"anyOf":[{"type":"integer","default":1},{"type":"string"}],"default":2,"example":"x","nullable":true}`,
	"a description of each":       `{"description":"outer","anyOf":[{"type":"string","description":"inner"},{"type":"null","description":"none"}]}`,

	"null said twice":                             `{"type":"object","properties":{"a":{"nullable":false,"allOf":[{"nullable":true,"type":"string"}]},"b":{"nullable":true,"allOf":[{"nullable":false,"type":"string"}]},"c":{"type":["string","null"],"nullable":false}}}`,
	"an empty tuple":                              `{"type":"array","prefixItems":[],"items":{"type":"string"}}`,
	"infinite values":                             `{"type":"number","enum":[1e400,2],"maximum":3}`,
	"alternatives that differ in all":             `{"type":"object","anyOf":[{"title":"A","description":"a","properties":{"x":{"type":"string"},"y":{"type":"string"}},"propertyOrdering":["y"],"additionalProperties":false,"default":{"x":"1"},"minProperties":1,"maxProperties":4},{"description":"b","properties":{"x":{"type":"integer"},"z":{"type":"null"}},"additionalProperties":{"type":"string"},"example":{"x":1},"minProperties":2,"maxProperties":3},{"description":"a","properties":{"z":{"type":"string"}},"minProperties":3,"maxProperties":2}]}`,
	"an exclusive bound that makes no difference": `{"type":"number","minimum":1,"exclusiveMinimum":true,"allOf":[{"minimum":2}]}`,
}
