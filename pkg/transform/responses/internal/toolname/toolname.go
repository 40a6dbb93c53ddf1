// Package toolname names the functions that stand for the tools of a Responses API request. It also
// finds the tool of a called function:
//
//	names := toolname.Of(request)
//	name := names.Function(toolname.Tool{Namespace: "mail", Name: "send"}) // mail__send
//	tool := names.Tool(name)
//
// Gemini has only functions and no namespaces. The names depend only on the request, so equal
// requests give equal names.
package toolname

import (
	"hash/fnv"
	"iter"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// Kind is the kind of a tool in the Responses API.
type Kind uint8

// These are the kinds of tools.
const (
	// Function is a tool that is called with JSON arguments.
	Function Kind = iota
	// Custom is a tool that is called with a text. The text is the argument [Input] of the
	// function.
	Custom
	// Search is a tool by which the client finds further tools.
	Search
)

// Input is the only argument of the function that stands for a custom tool.
const Input = "input"

// Tool is a tool of a request.
type Tool struct {
	Kind Kind
	// Namespace is the namespace of the tool, or "".
	Namespace string
	// Name is the tool's own name.
	Name string
}

// SearchTool returns the tool that finds other tools. It has no name of its own in the Responses
// API.
func SearchTool() Tool { return Tool{Kind: Search, Name: "tool_search"} }

// Names holds the function names for the tools of one request. The zero value and nil stand for a
// request without tools.
type Names struct {
	functions map[Tool]string
	tools     map[string]Tool
}

// Of returns the function names for the tools of a request and of its input. It returns nil if each
// tool has the name of its function, and for nil.
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

// lists yields the lists of tools of a request: its own list, and the lists of input items.
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

// bringsTools reports whether items of the type declare tools that the model may call.
func bringsTools(kind openaiapi.ResponseItemType) bool {
	return kind == openaiapi.ResponseItemTypeAdditionalTools ||
		kind == openaiapi.ResponseItemTypeToolSearchOutput
}

// needsNames reports whether a request has a tool that is not a function with the same name.
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

// add names the tools of a list. Equal tools share the name of the first. A namespace cannot
// contain another one.
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

// ToolOf returns the tool by which calls are made; namespace may be "". The result has no name if
// the tool is not a function for the model.
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

// set gives a tool the first free name.
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

// Function returns the name of the function that stands for a tool. The history of a conversation
// can have tools that the request does not declare. Such a tool has the name that it would have
// alone.
func (n *Names) Function(tool Tool) string {
	if n != nil {
		if name, ok := n.functions[tool]; ok {
			return name
		}
	}
	return flat(tool)
}

// Chosen returns the name of the function for a tool choice. There a tool of a namespace has a name
// such as mail.send, as openai-agents write it.
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

// Tool returns the tool that a function stands for. For an unknown function it returns a function
// tool with that name.
func (n *Names) Tool(function string) Tool {
	if n != nil {
		if tool, ok := n.tools[function]; ok {
			return tool
		}
	}
	return Tool{Name: function}
}

// nameOf returns the name of a tool. The name may be nested as in chat completions.
func nameOf(tool *openaiapi.ResponseTool) string {
	if tool.Name == "" && tool.Function != nil {
		return tool.Function.Name
	}
	return tool.Name
}

// longest is the maximum length of a function name in characters (ai.google.dev/api/caching,
// FunctionDeclaration).
const longest = 128

// flat returns the name of a tool after the name of its namespace. Gemini's names begin with a
// letter or an underscore. OpenAI's may begin with a digit or a dash.
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

// separator separates a namespace from the name of its tool, as in clients of MCP servers.
const separator = "__"

func isPlain(name string) bool { return name == "" || isBeginning(name[0]) && len(name) <= longest }

func isBeginning(c byte) bool { return c == '_' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }

// shortened returns the name with a suffix. If the result is too long, a hash replaces the end of
// the name.
func shortened(name, suffix string) string {
	if len(name)+len(suffix) <= longest {
		return name + suffix
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name)) // never fails
	end := "_" + strconv.FormatUint(uint64(hash.Sum32()), 16) + suffix
	return name[:longest-len(end)] + end
}
