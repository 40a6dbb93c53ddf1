package main

import "strings"

// driftCase is a pair of documents and what the report says of them. A document is a whole one, or
// only its component schemas, of which Root is the body of the response of the one operation
// "look".
type driftCase struct {
	name         string
	ours, theirs string
	missing      []string
	onlyOurs     []string
	notes        []string
}

const skeleton = `openapi: 3.0.3
paths:
  /look:
    get:
      operationId: look
      responses:
        "200":
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Root" }
components:
  schemas:
`

// fullDocument completes a document of a case.
func fullDocument(body string) string {
	if strings.HasPrefix(strings.TrimSpace(body), "openapi:") {
		return body
	}
	var b strings.Builder
	b.WriteString(skeleton)
	for line := range strings.Lines(strings.Trim(body, "\n") + "\n") {
		b.WriteString("    " + line)
	}
	return b.String()
}

var driftCases = []driftCase{
	{
		name:   "the same schema under another name is the same",
		ours:   "Root: { type: object, properties: { at: { $ref: '#/components/schemas/Place' } } }\nPlace: { type: object, properties: { x: { type: number } } }",
		theirs: "Root: { type: object, properties: { at: { $ref: '#/components/schemas/V1betaPlace' } } }\nV1betaPlace: { type: object, properties: { x: { type: number, format: double } } }",
	},
	{
		name:    "a missing property is named with its type",
		ours:    "Root: { type: object, properties: { a: { type: string } } }",
		theirs:  "Root: { type: object, properties: { a: { type: string }, b: { type: integer, format: int32 } } }",
		missing: []string{"look response /b: property, integer int32 (Root)"},
	},
	{
		name: "missing properties inside lists and maps",
		ours: `
Root: { type: object, properties: { list: { type: array, items: { $ref: '#/components/schemas/Leaf' } }, byName: { type: object, additionalProperties: { $ref: '#/components/schemas/Other' } } } }
Leaf: { type: object, properties: { x: { type: string } } }
Other: { type: object }`,
		theirs: `
Root:
  type: object
  properties:
    list: { type: array, items: { type: object, properties: { x: { type: string }, y: { type: boolean } } } }
    byName: { type: object, additionalProperties: { type: object, properties: { deep: { $ref: '#/components/schemas/Deep' } } } }
Deep: { type: object, properties: { again: { $ref: '#/components/schemas/Deep' } } }`,
		missing: []string{
			"look response /byName/{*}/deep: property, Deep (Other)",
			"look response /list/*/y: property, boolean (Leaf)",
		},
	},
	{
		name:    "an empty message is not free-form",
		ours:    "Root: { type: object }",
		theirs:  "Root: { type: object, properties: { mode: { type: string, enum: [FAST] } } }",
		missing: []string{"look response /mode: property, enum of 1 (Root)"},
	},
	{
		name:   "what ours leaves free lacks nothing",
		ours:   "Root: { type: object, properties: { any: { description: Free. }, object: { type: object, additionalProperties: true } } }",
		theirs: "Root: { type: object, properties: { any: { type: array, items: { type: string } }, object: { type: object, properties: { x: { type: string } } } } }",
	},
	{
		name:     "an object of ours that names members is not free-form",
		ours:     "Root: { type: object, additionalProperties: true, properties: { a: { type: string } } }",
		theirs:   "Root: { type: object, properties: { b: { type: string } } }",
		missing:  []string{"look response /b: property, string (Root)"},
		onlyOurs: []string{"look response /a: property, string (Root)"},
	},
	{
		name: "an enum in place equals a named one but for its values",
		ours: `
Root: { type: object, properties: { why: { description: Why., allOf: [{ $ref: '#/components/schemas/Reason' }] } } }
Reason:
  type: string
  enum: [STOP, OURS]
  x-enum-descriptions: { STOP: The end., OURS: Only here. }`,
		theirs: "Root: { type: object, properties: { why: { type: string, enum: [STOP, 'NO', \"true\", \"512\"] } } }",
		missing: []string{"look response /why: enum value 512 (Reason)",
			"look response /why: enum value NO (Reason)",
			"look response /why: enum value true (Reason)"},
		onlyOurs: []string{"look response /why: enum value OURS (Reason)"},
	},
	{
		name:   "a plain string lacks the values of an enum",
		ours:   "Root: { type: object, properties: { level: { type: string } } }",
		theirs: "Root: { type: object, properties: { level: { type: string, enum: [LOW, HIGH] } } }",
		missing: []string{"look response /level: enum value HIGH, ours lists no values (Root.level)",
			"look response /level: enum value LOW, ours lists no values (Root.level)"},
	},
	{
		name:    "an open set is demanded of an enum and noted of a plain string",
		ours:    "Root: { type: object, properties: { model: { type: string }, voice: { type: string, enum: [ash] } } }",
		theirs:  "Root: { type: object, properties: { model: { anyOf: [{ type: string }, { type: string, enum: [m-1, m-2] }] }, voice: { anyOf: [{ type: string }, { type: string, enum: [ash, coral] }] } } }",
		missing: []string{"look response /voice: enum value coral (Root.voice)"},
		notes:   []string{"look response /model: open set of 2 values, not demanded: m-1, m-2"},
	},
	{
		name:    "an open set by extension is demanded of an enum and noted of a plain string",
		ours:    "Root: { type: object, properties: { model: { type: string }, voice: { type: string, enum: [ash] } } }",
		theirs:  "Root: { type: object, properties: { model: { type: string, x-open-enum: [m-1, m-2] }, voice: { type: string, x-open-enum: [ash, coral] } } }",
		missing: []string{"look response /voice: enum value coral (Root.voice)"},
		notes:   []string{"look response /model: open set of 2 values, not demanded: m-1, m-2"},
	},
	{
		name:   "a number of a document without integers may be an integer",
		ours:   "Root: { type: object, properties: { a: { type: integer }, b: { type: number } } }",
		theirs: "Root: { type: object, properties: { a: { type: number }, b: { type: number } } }",
	},
	{
		name:    "a number is no integer where the document has integers",
		ours:    "Root: { type: object, properties: { a: { type: integer }, b: { type: integer } } }",
		theirs:  "Root: { type: object, properties: { a: { type: number }, b: { type: [integer, 'null'] } } }",
		missing: []string{"look response /a: type number, ours integer (Root.a)"},
	},
	{
		name: "another type is drift, at each of its uses, and reported once",
		ours: `
Root: { type: object, properties: { a: { $ref: '#/components/schemas/Count' }, b: { description: Same., allOf: [{ $ref: '#/components/schemas/Count' }] } } }
Count: { type: integer }`,
		theirs:  "Root: { type: object, properties: { a: { $ref: '#/components/schemas/Count' }, b: { $ref: '#/components/schemas/Count' } } }\nCount: { type: string, format: int64 }",
		missing: []string{"look response /a: type string, ours integer (Count)"},
	},
	{
		name: "integers and numbers are two types, and a number holds an integer",
		ours: "Root: { type: object, properties: { i: { type: number }, n: { type: integer }, b: { type: number } } }",
		theirs: `
Root:
  type: object
  properties:
    i: { type: integer }
    n: { type: number }
    b: { oneOf: [{ type: number }, { type: integer }] }`,
		missing: []string{"look response /i: type integer, ours number (Root.i)",
			"look response /n: type number, ours integer (Root.n)"},
	},
	{
		name:    "a single value is no list",
		ours:    "Root: { type: object, properties: { one: { $ref: '#/components/schemas/Part' } } }\nPart: { type: object, properties: { t: { type: string } } }",
		theirs:  "Root: { type: object, properties: { one: { type: array, items: { $ref: '#/components/schemas/Part' } } } }\nPart: { type: object, properties: { t: { type: string } } }",
		missing: []string{"look response /one: type array, ours object (Part)"},
	},
	{
		name: "a choice of types that ours has in part",
		ours: "Root: { type: object, properties: { content: { description: Text., type: string }, choice: { type: object, properties: { a: { type: string } } } } }",
		theirs: `
Root:
  type: object
  properties:
    content: { oneOf: [{ type: string }, { type: array, items: { type: object, properties: { text: { type: string } } } }, { type: boolean }] }
    choice: { oneOf: [{ type: string, enum: [auto, none] }, { type: object, properties: { a: { type: string }, b: { type: string } } }] }`,
		missing: []string{
			"look response /choice: type string, ours object (Root.choice)",
			"look response /choice/b: property, string (Root.choice)",
			"look response /content: type array, ours string (Root.content)",
			"look response /content: type boolean, ours string (Root.content)",
		},
	},
	{
		name:     "types that only ours admits",
		ours:     "Root: { type: object, properties: { content: { oneOf: [{ type: string }, { type: array, items: { type: string } }] } } }",
		theirs:   "Root: { type: object, properties: { content: { type: string } } }",
		onlyOurs: []string{"look response /content: type array (Root.content)"},
	},
	{
		name:     "map values of a type that only ours names",
		ours:     "Root: { type: object, properties: { labels: { type: object, additionalProperties: { type: string } } } }",
		theirs:   "Root: { type: object, properties: { labels: { type: object } } }",
		onlyOurs: []string{"look response /labels/{*}: map values (Root.labels)"},
	},
	{
		name:   "anything is more than an object",
		ours:   "Root: { type: object, properties: { v: { description: Ours., type: object }, m: { type: object, additionalProperties: { type: string } } } }",
		theirs: "Root: { type: object, properties: { v: { description: Free. }, m: { type: object, additionalProperties: true } } }",
		missing: []string{"look response /m/{*}: type anything, ours string (Root.m{})",
			"look response /v: type anything, ours object (Root.v)"},
	},
	{
		name: "allOf is one object and null is nothing",
		ours: "Root: { type: object, properties: { id: { type: string }, count: { type: integer }, text: { type: string, nullable: true } } }",
		theirs: `
Root:
  allOf:
    - $ref: '#/components/schemas/Base'
    - type: object
      properties:
        count: { type: [integer, "null"] }
        text: { anyOf: [{ type: string }, { type: "null" }] }
        extra: { anyOf: [{ type: string }, { type: "null" }] }
Base: { type: object, properties: { id: { type: string }, kind: { type: string, const: base } } }`,
		missing: []string{"look response /extra: property, string (Root)",
			"look response /kind: property, enum of 1 (Root)"},
	},
	{
		name: "a part of an allOf that only describes a member leaves its type alone",
		ours: `
Root:
  allOf:
    - { type: object, properties: { n: { type: integer }, o: { type: integer } } }
    - { properties: { n: { description: Better words. } } }`,
		theirs: `
Root:
  allOf:
    - { properties: { o: { description: Better words. } } }
    - { type: object, properties: { n: { type: string }, o: { type: integer } } }`,
		missing: []string{"look response /n: type string, ours integer (Root.n)"},
	},
	{
		name: "messages by role are one flat object",
		ours: `
Root: { type: array, items: { $ref: '#/components/schemas/Message' } }
Message:
  type: object
  properties:
    role: { $ref: '#/components/schemas/Role' }
    content: { oneOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/ContentPart' } }] }
Role: { type: string, enum: [system, user] }
ContentPart: { type: object, properties: { type: { type: string, enum: [text, image, video] }, text: { type: string } } }`,
		theirs: `
Root: { type: array, items: { oneOf: [{ $ref: '#/components/schemas/System' }, { $ref: '#/components/schemas/User' }, { $ref: '#/components/schemas/Tool' }], discriminator: { propertyName: role } } }
System: { type: object, properties: { role: { type: string, enum: [system] }, content: { oneOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/Text' } }] } } }
User: { type: object, properties: { role: { type: string, const: user }, content: { oneOf: [{ type: string }, { type: array, items: { oneOf: [{ $ref: '#/components/schemas/Text' }, { $ref: '#/components/schemas/Image' }] } }] } } }
Tool: { type: object, properties: { role: { type: string, enum: [tool] }, tool_call_id: { type: string } } }
Text: { type: object, properties: { type: { type: string, enum: [text] }, text: { type: string } } }
Image: { type: object, properties: { type: { type: string, enum: [image] }, image: { type: object, properties: { url: { type: string } } } } }`,
		missing: []string{
			"look response /*/content/*/image: property, object (ContentPart)",
			"look response /*/role: enum value tool (Role)",
			"look response /*/tool_call_id: property, string (Message)",
		},
		onlyOurs: []string{"look response /*/content/*/type: enum value video (ContentPart.type)"},
	},
	{
		name: "circles end, and each schema is reported once, at its nearest place",
		ours: `
Root: { type: object, properties: { far: { type: object, properties: { node: { $ref: '#/components/schemas/Node' } } }, node: { $ref: '#/components/schemas/Node' } } }
Node: { type: object, properties: { child: { $ref: '#/components/schemas/Node' }, children: { type: array, items: { $ref: '#/components/schemas/Node' } } } }`,
		theirs: `
Root: { type: object, properties: { far: { type: object, properties: { node: { $ref: '#/components/schemas/Tree' } } }, node: { $ref: '#/components/schemas/Tree' } } }
Tree: { type: object, properties: { child: { $ref: '#/components/schemas/Tree' }, children: { type: array, items: { $ref: '#/components/schemas/Tree' } }, parent: { $ref: '#/components/schemas/Tree' } } }`,
		missing: []string{"look response /node/parent: property, Tree (Node)"},
	},
	{
		name: "a union that holds itself ends too",
		ours: "Root: { oneOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/Root' } }] }",
		theirs: `
Root: { oneOf: [{ type: string }, { $ref: '#/components/schemas/Other' }, { type: boolean }] }
Other: { oneOf: [{ $ref: '#/components/schemas/Root' }, { type: array, items: { $ref: '#/components/schemas/Root' } }] }`,
		missing: []string{"look response /: type boolean, ours array or string (Root)"},
	},
	{
		name:   "map values",
		ours:   "Root: { type: object, properties: { labels: { type: object, additionalProperties: { type: string } }, sizes: { type: object }, closed: { type: object, additionalProperties: false }, free: { type: object } } }",
		theirs: "Root: { type: object, properties: { labels: { type: object, additionalProperties: { type: string } }, sizes: { type: object, additionalProperties: { type: integer } }, closed: { type: object, additionalProperties: { type: integer } }, free: { type: object, additionalProperties: { description: Free. } } } }",
		missing: []string{"look response /closed/{*}: map values, integer (Root.closed)",
			"look response /sizes/{*}: map values, integer (Root.sizes)"},
	},
	{
		name:    "a map of ours without a type takes members too",
		ours:    "Root: { additionalProperties: { type: string } }",
		theirs:  "Root: { type: object, additionalProperties: { type: string }, properties: { a: { type: string } } }",
		missing: []string{"look response /a: property, string (Root)"},
	},
	{
		name:   "a const of ours is an enum of one",
		ours:   "Root: { type: object, properties: { kind: { const: a }, both: { oneOf: [{ const: a }, { type: integer }] } } }",
		theirs: "Root: { type: object, properties: { kind: { type: string, enum: [a, b] }, both: { oneOf: [{ type: string, enum: [a] }, { type: integer, enum: [1] }] } } }",
		missing: []string{"look response /both: enum value 1, ours lists no values (Root.both)",
			"look response /kind: enum value b (Root.kind)"},
	},
	{
		name: "theirs is met again under another schema of theirs",
		ours: "Root: { type: object, properties: { a: { $ref: '#/components/schemas/Part' }, b: { $ref: '#/components/schemas/Part' } } }\nPart: { type: object }",
		theirs: `
Root: { type: object, properties: { a: { type: object, properties: { x: { type: string }, mode: { type: string, enum: [A] } } }, b: { type: object, properties: { x: { type: array, items: { type: string } }, mode: { type: string, enum: [B] } } } } }`,
		missing: []string{"look response /a/mode: property, enum of 1 (Part)",
			"look response /a/x: property, string (Part)"},
	},
	{
		name:    "the width of integers counts, other formats do not",
		ours:    "Root: { type: object, properties: { n: { type: integer, format: int32 }, s: { type: string }, t: { type: string }, w: { type: integer } } }",
		theirs:  "Root: { type: object, properties: { n: { type: integer, format: int64 }, s: { type: string, format: int64 }, t: { type: string, format: google-datetime }, w: { type: integer, format: int64 } } }",
		missing: []string{"look response /n: format int64, ours int32 (Root.n)"},
		notes:   []string{"look response /s: a number in a string (int64), a plain string in ours"},
	},
	{
		name: "accepted drift is a note with its reason",
		ours: `
Root:
  type: object
  x-accepted-drift: { legacy: gone since March }
  properties:
    resolution: { $ref: '#/components/schemas/Resolution' }
    reason: { $ref: '#/components/schemas/Reason' }
Resolution: { type: object, x-accepted-drift: { string: a placeholder there } }
Reason: { type: string, enum: [STOP], x-accepted-drift: { OLD: never sent, EMPTY: "" } }`,
		theirs:  "Root: { type: object, properties: { legacy: { type: string }, resolution: { type: string }, reason: { type: string, enum: [STOP, OLD, EMPTY] } } }",
		missing: []string{"look response /reason: enum value EMPTY (Reason)"},
		notes: []string{
			"look response /legacy: property (Root), accepted: gone since March",
			"look response /reason: enum value OLD (Reason), accepted: never sent",
			"look response /resolution: type string (Resolution), accepted: a placeholder there",
		},
	},
	{
		name: "a stub does not take the name of another schema of ours",
		ours: "Root: { type: object, properties: { a: { type: string } } }\nStatus: { type: string, enum: [OK] }\nRootKind: { type: object }",
		theirs: `
Root: { type: object, properties: { a: { type: string }, status: { $ref: '#/components/schemas/Status' }, kind: { type: string, enum: [A] } } }
Status: { type: object, properties: { code: { type: integer }, cause: { $ref: '#/components/schemas/Status' } } }`,
		missing: []string{"look response /kind: property, enum of 1 (Root)",
			"look response /status: property, Status (Root)"},
	},
	{
		name: "changes inside the elements of a list of ours",
		ours: `
Root:
  allOf:
    - type: object
      properties: { kind: { type: string, enum: [a] } }
    - oneOf:
        - { type: object, properties: { x: { type: integer, format: int32 } } }
        - { type: object, properties: { y: { type: string } } }`,
		theirs: "Root: { type: object, properties: { kind: { type: string, enum: [a, b] }, x: { type: integer, format: int64 }, y: { type: boolean }, z: { type: string } } }",
		missing: []string{"look response /kind: enum value b (Root.kind)",
			"look response /x: format int64, ours int32 (Root.x)",
			"look response /y: type boolean, ours string (Root.y)",
			"look response /z: property, string (Root)"},
	},
	{
		name: "one object of ours met alone and in a union takes a property once",
		ours: `
Root: { type: object, properties: { one: { $ref: '#/components/schemas/A' }, either: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] } } }
A: { type: object, properties: { x: { type: string } } }
B: { type: object, properties: { y: { type: string } } }`,
		theirs: "Root: { type: object, properties: { one: { type: object, properties: { x: { type: string }, n: { type: string } } }, either: { type: object, properties: { x: { type: string }, n: { type: integer } } } } }",
		missing: []string{"look response /either/n: property, integer (Root.either)",
			"look response /one/n: property, string (A)"},
		onlyOurs: []string{"look response /either/y: property, string (Root.either)"},
	},
	{
		name: "every kind of schema in a stub",
		ours: "Root: { type: object }",
		theirs: `
Root:
  type: object
  properties:
    day: { type: string, format: date, nullable: true }
    date: { type: string, enum: ["2024-01-01", "1", "null"] }
    numbers: { type: integer, enum: [1, 2] }
    flag: { type: boolean, enum: [true] }
    free: { description: Any. }
    freeMap: { type: object, additionalProperties: true }
    map: { type: object, additionalProperties: { type: object, properties: { a: { type: string } } } }
    list: { type: array, items: { type: array, items: { type: number } } }
    bare: { type: array }
    both: { type: [string, integer] }
    union: { anyOf: [{ type: string }, { $ref: '#/components/schemas/Empty' }, { type: array, items: { $ref: '#/components/schemas/Root' } }] }
    model: { anyOf: [{ type: string }, { type: string, enum: [m-1] }] }
    "weird/~name": { $ref: '#/components/schemas/Empty' }
Empty: { type: object }`,
		missing: []string{
			"look response /bare: property, array (Root)",
			"look response /both: property, integer or string (Root)",
			"look response /date: property, enum of 3 (Root)",
			"look response /day: property, string date (Root)",
			"look response /flag: property, enum of 1 (Root)",
			"look response /free: property, anything (Root)",
			"look response /freeMap: property, map of anything (Root)",
			"look response /list: property, list of list of number (Root)",
			"look response /map: property, map of object (Root)",
			"look response /model: property, string (Root)",
			"look response /numbers: property, enum of 2 (Root)",
			"look response /union: property, list of Root or object or string (Root)",
			"look response /weird~1~0name: property, Empty (Root)",
		},
	},
	{
		name: "parameters: path by position, others by name, the platform's are not demanded",
		ours: `
openapi: 3.0.3
paths:
  /models/{model}/parts/{part}:
    get:
      operationId: part
      parameters:
        - { name: part, in: path, required: true, schema: { type: string } }
        - { name: model, in: path, required: true, schema: { type: string } }
        - { name: X-Trace, in: header, schema: { type: string } }
        - { name: ours, in: query, schema: { type: string } }
        - { name: pageSize, in: query, schema: { type: string } }
      responses: {}`,
		theirs: `
openapi: 3.1.0
paths:
  /v1beta/models/{modelsId}/parts/{partsId}:
    parameters:
      - $ref: '#/components/parameters/Alt'
      - { name: pageSize, in: query, schema: { type: boolean } }
    get:
      operationId: models.parts.get
      parameters:
        - { name: partsId, in: path, required: true, schema: { type: integer } }
        - { name: modelsId, in: path, required: true, schema: { type: string } }
        - { name: pageSize, in: query, schema: { type: integer } }
        - { name: filter, in: query, content: { application/json: { schema: { type: object, properties: { q: { type: string } } } } } }
        - { name: x-trace, in: header, schema: { type: string } }
        - { name: X-Other, in: header }
      responses: {}
components:
  parameters:
    Alt: { name: $alt, in: query, schema: { type: string } }`,
		missing: []string{
			"part request header:X-Other: parameter",
			"part request path:partsId: type integer, ours string (/paths/~1models~1{model}~1parts~1{part}/get/parameters/0/schema)",
			"part request query:filter: parameter, object",
			"part request query:pageSize: type integer, ours string (/paths/~1models~1{model}~1parts~1{part}/get/parameters/4/schema)",
		},
		onlyOurs: []string{"part request query:ours: parameter"},
		notes:    []string{"part request query:$alt: parameter of the vendor's whole platform, not demanded"},
	},
	{
		name: "operations of ours that theirs lacks, and bodies",
		ours: `
openapi: 3.0.3
paths:
  /v1/a: { post: { operationId: a } }
  /v1/b: { post: { operationId: b, requestBody: { content: { application/json: { schema: { type: string } } } }, responses: { "200": { description: Done. } } } }
  /v1/c: { post: { responses: { "200": { $ref: '#/components/responses/Done' } } } }
components: { responses: { Done: { description: Done. } } }`,
		theirs: `
openapi: 3.0.3
paths:
  /v1/a: { post: { requestBody: { content: { "application/json; charset=utf-8": { schema: { type: object, properties: { x: { type: string } } } } } }, responses: { "201": { content: { application/json: { schema: { type: string } } } } } } }
  /v1/b: { post: { responses: { default: { content: { application/json: { schema: { type: object } } } } } } }
  /v2/d: { get: { operationId: d } }
  /v1/c: { get: { operationId: c }, post: { responses: { "200": { content: { application/json: { schema: { type: boolean } } } } } } }`,
		missing: []string{
			"POST /v1/c response /: body, boolean",
			"a request /: body, object",
			"a response /: body, string",
			"b response /: body, object",
		},
		onlyOurs: []string{"b request /: body (/paths/~1v1~1b/post/requestBody/content/application~1json/schema)"},
	},
	{
		name: "an operation that only ours has",
		ours: `
openapi: 3.0.3
paths:
  /models/{model}:countTokens: { post: { operationId: countTokens } }`,
		theirs: `
openapi: 3.0.3
paths:
  /models/{model}:countTokens: { get: {} }
  /models/{model}:generate: { post: {} }`,
		onlyOurs: []string{"countTokens: operation POST /models/{model}:countTokens"},
	},
	{
		name: "event streams are compared with each other, or with JSON where one side has only that",
		ours: `
openapi: 3.0.3
paths:
  /both: { get: { operationId: both, responses: { "200": { content: { application/json: { schema: { $ref: '#/components/schemas/Whole' } }, text/event-stream: { schema: { $ref: '#/components/schemas/Chunk' } } } } } } }
  /json: { get: { operationId: json, responses: { "200": { content: { application/json: { schema: { $ref: '#/components/schemas/Other' } } } } } } }
  /sse: { get: { operationId: sse, responses: { "200": { content: { text/event-stream: { schema: { $ref: '#/components/schemas/Third' } } } } } } }
components:
  schemas:
    Whole: { type: object, properties: { w: { type: string } } }
    Chunk: { type: object, properties: { c: { type: string } } }
    Other: { type: object }
    Third: { type: object }`,
		theirs: `
openapi: 3.0.3
paths:
  /both: { get: { responses: { "200": { content: { application/json: { schema: { type: object, properties: { w: { type: string }, w2: { type: string } } } }, text/event-stream: { schema: { type: object, properties: { c: { type: string }, c2: { type: string } } } } } } } } }
  /json: { get: { responses: { "200": { content: { text/event-stream: { schema: { type: object, properties: { e: { type: string } } } } } } } } }
  /sse: { get: { responses: { default: { content: { application/json: { schema: { type: object, properties: { j: { type: string } } } } } } } } }`,
		missing: []string{
			"both response /c2: property, string (Chunk)",
			"both response /w2: property, string (Whole)",
			"json response /e: property, string (Other)",
			"sse response /j: property, string (Third)",
		},
	},
	{
		name:    "names that would break a line are escaped",
		ours:    "Root: { type: object }",
		theirs:  "Root: { type: object, properties: { \"a\\nb\\x1b\": { type: string } } }",
		missing: []string{`look response /a\nb\x1b: property, string (Root)`},
	},
}
