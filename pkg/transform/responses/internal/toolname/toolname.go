// Package toolname gives each tool of a request to the Responses API, that the model calls as a
// function, the name of that function, and finds the tool of a called function again:
//
//	names := toolname.Of(request)
//	name := names.Function(toolname.Tool{Namespace: "mail", Name: "send"}) // mail__send
//	tool := names.Tool(name)
//
// Gemini knows functions alone and no namespaces. The names are made of the request only, so that
// whoever has it makes the same ones.
package toolname

import (
	"hash/fnv"
	"iter"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// Kind is what a tool is in the Responses API.
type Kind uint8

// The kinds.
const (
	// Function is called with JSON arguments.
	Function Kind = iota
	// Custom is called with a text, which is the argument [Input] of the function.
	Custom
	// Search looks for further tools, by the client.
	Search
)

// Input is the one argument of the function that stands for a custom tool.
const Input = "input"

// Tool is a tool of a request.
type Tool struct {
	Kind Kind
	// Namespace is that of the tool, "" for none.
	Namespace string
	// Name is the tool's own name.
	Name string
}

// SearchTool returns the tool that looks for others, which has no name of its own in the Responses
// API.
func SearchTool() Tool { return Tool{Kind: Search, Name: "tool_search"} }

// Names are the names of the tools of one request. The zero value and nil are those of a request
// without tools.
type Names struct {
	functions map[Tool]string
	tools     map[string]Tool
}

// Of returns the names of the tools of a request, also of those that stand in its input. It returns
// nil where each tool has the name of its function, and for nil.
func Of(in *openaiapi.CreateResponseRequest) *Names {
	if in == nil || !needsNames(in) {
		return nil
	}
	n := &Names{functions: map[Tool]string{}, tools: map[string]Tool{}}
	for tools := range lists(in) {
		n.add("", tools)
	}
	return n
}

// lists yields the lists of tools of a request: its own, and those that items of the input bring.
func lists(in *openaiapi.CreateResponseRequest) iter.Seq[[]openaiapi.ResponseTool] {
	return func(yield func([]openaiapi.ResponseTool) bool) {
		if !yield(in.Tools) {
			return
		}
		items, _ := in.Input.AsValue()
		for i := range items {
			if bringsTools(items[i].Type) && !yield(items[i].Tools) {
				return
			}
		}
	}
}

// bringsTools reports whether items of the type have tools that the model may call.
func bringsTools(kind openaiapi.ResponseItemType) bool {
	return kind == openaiapi.ResponseItemTypeAdditionalTools ||
		kind == openaiapi.ResponseItemTypeToolSearchOutput
}

// needsNames reports whether a tool of the request is not simply a function under its own name.
func needsNames(in *openaiapi.CreateResponseRequest) bool {
	for tools := range lists(in) {
		for i := range tools {
			switch tools[i].Type {
			case openaiapi.ResponseToolTypeFunction, "":
				if !isPlain(nameOf(&tools[i])) {
					return true
				}
			case openaiapi.ResponseToolTypeCustom, openaiapi.ResponseToolTypeNamespace,
				openaiapi.ResponseToolTypeToolSearch:
				return true
			}
		}
	}
	return false
}

// add names the tools of a list. The first of two equal ones gives the name to both. A namespace
// stands in no other one.
func (n *Names) add(namespace string, tools []openaiapi.ResponseTool) {
	for i := range tools {
		if tools[i].Type == openaiapi.ResponseToolTypeNamespace {
			if namespace == "" && tools[i].Name != "" {
				n.add(tools[i].Name, tools[i].Tools)
			}
			continue
		}
		if tool := ToolOf(&tools[i], namespace); tool.Name != "" {
			if _, again := n.functions[tool]; !again {
				n.set(tool)
			}
		}
	}
}

// ToolOf returns what a tool of a namespace, "" for none, is called by: one without a name for a
// tool that is no function to the model.
func ToolOf(tool *openaiapi.ResponseTool, namespace string) Tool {
	switch tool.Type {
	case openaiapi.ResponseToolTypeFunction, "":
		return Tool{Namespace: namespace, Name: nameOf(tool)}
	case openaiapi.ResponseToolTypeCustom:
		return Tool{Kind: Custom, Namespace: namespace, Name: nameOf(tool)}
	case openaiapi.ResponseToolTypeToolSearch:
		return SearchTool()
	default:
		return Tool{}
	}
}

// set gives a tool the first name that is free.
func (n *Names) set(tool Tool) {
	name := flat(tool)
	for i := 2; ; i++ {
		if _, taken := n.tools[name]; !taken {
			break
		}
		name = shortened(flat(tool), "_"+strconv.Itoa(i))
	}
	n.functions[tool], n.tools[name] = name, tool
}

// Function returns the name of the function that stands for a tool. A tool that the request does
// not declare, as it may be in the history of a conversation, has the name that it would have
// alone.
func (n *Names) Function(tool Tool) string {
	if n != nil {
		if name, ok := n.functions[tool]; ok {
			return name
		}
	}
	return flat(tool)
}

// Chosen returns the name of the function that stands for the tool that a tool choice names. A tool
// of a namespace has the name mail.send there, as openai-agents write it.
func (n *Names) Chosen(tool Tool) string {
	if n == nil {
		return flat(tool)
	}
	if name, declared := n.functions[tool]; declared {
		return name
	}
	if dot := strings.LastIndexByte(tool.Name, '.'); dot > 0 && tool.Namespace == "" {
		if name, declared := n.functions[Tool{Kind: tool.Kind, Namespace: tool.Name[:dot],
			Name: tool.Name[dot+1:]}]; declared {
			return name
		}
	}
	return flat(tool)
}

// Tool returns the tool that a function stands for. A function that no tool has made is one under
// that name.
func (n *Names) Tool(function string) Tool {
	if n != nil {
		if tool, ok := n.tools[function]; ok {
			return tool
		}
	}
	return Tool{Name: function}
}

// nameOf returns the name of a tool, also where it is nested as in chat_completions.
func nameOf(tool *openaiapi.ResponseTool) string {
	if tool.Name == "" && tool.Function != nil {
		return tool.Function.Name
	}
	return tool.Name
}

// longest is how many characters the name of a function has at most (ai.google.dev/api/caching,
// FunctionDeclaration).
const longest = 128

// flat returns the name of a tool with that of its namespace in front of it. Gemini's names begin
// with a letter or an underscore; those of OpenAI may begin with a digit or a dash.
func flat(tool Tool) string {
	name := tool.Name
	if tool.Namespace != "" {
		name = tool.Namespace + separator + name
	}
	if name != "" && !isBeginning(name[0]) {
		name = "_" + name
	}
	return shortened(name, "")
}

// separator stands between a namespace and the name of its tool, as clients of MCP servers have it.
const separator = "__"

func isPlain(name string) bool { return name == "" || isBeginning(name[0]) && len(name) <= longest }

func isBeginning(c byte) bool { return c == '_' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }

// shortened returns the name with what follows it. Where that is too long, a hash of the name is
// its end.
func shortened(name, suffix string) string {
	if len(name)+len(suffix) <= longest {
		return name + suffix
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name)) // which never fails
	end := "_" + strconv.FormatUint(uint64(hash.Sum32()), 16) + suffix
	return name[:longest-len(end)] + end
}
