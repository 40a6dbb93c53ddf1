package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

var (
	// directive matches a comment for a tool, such as //go:generate.
	directive = regexp.MustCompile(`^//([a-z]+:\S|line |export |nolint)`)
	// sentence matches a string with two words in a row. Others are names, keys and formats.
	sentence = regexp.MustCompile(`\p{L}{2,},? \p{L}{2,}`)
	// verb matches a placeholder of package fmt.
	verb = regexp.MustCompile(`%[-+# 0-9.*\[\]]*[a-zA-Z]`)
)

// goFile returns the prose of a Go file: its comments, and its strings that have words, for example
// errors, log messages, help and usage of flags. It leaves out the strings of tests, which are
// mostly payloads. Generated files have no prose of ours, so the result is nil.
func goFile(path string, content []byte) (*document, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, content, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(file) {
		return nil, nil
	}
	d := &document{path: path, ext: ".txt"}
	test := strings.HasSuffix(path, "_test.go")
	for _, group := range file.Comments {
		p := paragraphs{document: d, blank: true}
		d.end()
		for _, l := range commentLines(files, group) {
			if test && isOutput(l.text) {
				break
			}
			p.line(l.text, l.source)
		}
	}
	if !test {
		goStrings(d, files, file)
	}
	return d, nil
}

// sourceLine is a part of one line of a source file.
type sourceLine struct {
	text   string
	source int
	end    token.Pos
}

// commentLines returns the lines of a group of comments without comment markers and directives.
func commentLines(files *token.FileSet, group *ast.CommentGroup) []sourceLine {
	var lines []sourceLine
	for _, c := range group.List {
		first := files.Position(c.Pos()).Line
		if strings.HasPrefix(c.Text, "//") {
			text := strings.TrimPrefix(c.Text[2:], " ")
			if directive.MatchString(c.Text) {
				text = ""
			}
			lines = append(lines, sourceLine{text, first, c.End()})
			continue
		}
		offset := c.Pos()
		text := strings.TrimSuffix(c.Text, "*/")
		for i, l := range strings.Split(text, "\n") {
			end := offset + token.Pos(len(l))
			l = strings.TrimLeft(strings.TrimPrefix(l, "/*"), " \t*")
			lines = append(lines, sourceLine{l, first + i, end})
			offset = end + 1
		}
	}
	return lines
}

// isOutput reports whether a line of a comment begins the expected output of an example.
func isOutput(text string) bool {
	text = strings.ToLower(text)
	return strings.HasPrefix(text, "output:") || strings.HasPrefix(text, "unordered output:")
}

// described are the keys of struct tags whose values a person reads.
var described = []string{"jsonschema_description", "description", "usage", "help"}

// goStrings adds the strings of a file. Strings that are joined by + are one text, in which "…"
// stands for each operand that is not a literal.
func goStrings(d *document, files *token.FileSet, file *ast.File) {
	tags := map[*ast.BasicLit]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok {
				if p, ok := f.X.(*ast.Ident); ok && p.Name == "regexp" {
					return false
				}
			}
		case *ast.Field:
			if n.Tag != nil {
				tags[n.Tag] = true
				tagTexts(d, files, n.Tag)
			}
		case *ast.BinaryExpr:
			if n.Op == token.ADD && hasString(n) {
				d.end()
				joined(d, files, n)
				return false
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && !tags[n] {
				d.end()
				literal(d, files, n)
			}
		}
		return true
	})
}

func hasString(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (hasString(e.X) || hasString(e.Y))
	case *ast.BasicLit:
		return e.Kind == token.STRING
	}
	return false
}

// joined adds the literals of a sum as one text.
func joined(d *document, files *token.FileSet, e ast.Expr) {
	var all strings.Builder
	var parts []sourceLine
	var walk func(ast.Expr)
	walk = func(e ast.Expr) {
		text := "…"
		switch e := e.(type) {
		case *ast.BinaryExpr:
			if e.Op == token.ADD {
				walk(e.X)
				walk(e.Y)
				return
			}
		case *ast.BasicLit:
			if e.Kind == token.STRING {
				text, _ = strconv.Unquote(e.Value)
			}
		}
		all.WriteString(text)
		parts = append(parts, sourceLine{text, files.Position(e.Pos()).Line, e.End()})
	}
	walk(e)
	if !isProse(all.String()) {
		return
	}
	// Parts that are on several lines are split where the lines of the text end, so a phrase that
	// goes over two parts is found in the joined text.
	p := paragraphs{document: d, blank: true}
	text, at := "", 0
	for _, part := range parts {
		for i, l := range strings.Split(part.text, "\n") {
			if i > 0 {
				p.line(text, at)
				text, at = "", 0
			}
			if at == 0 || text == "" {
				at = part.source
			}
			text += l
		}
	}
	p.line(text, at)
	d.end()
}

// literal adds one string.
func literal(d *document, files *token.FileSet, l *ast.BasicLit) {
	text, err := strconv.Unquote(l.Value)
	if err != nil || !isProse(text) {
		return
	}
	p := paragraphs{document: d, blank: true}
	at := files.Position(l.Pos()).Line
	for i, t := range strings.Split(text, "\n") {
		if strings.HasPrefix(l.Value, "`") {
			p.line(t, at+i)
		} else {
			p.line(t, at)
		}
	}
	d.end()
}

// tagTexts adds the descriptions of a struct tag.
func tagTexts(d *document, files *token.FileSet, tag *ast.BasicLit) {
	text, err := strconv.Unquote(tag.Value)
	if err != nil {
		return
	}
	for _, key := range described {
		if value := reflect.StructTag(text).Get(key); value != "" {
			d.end()
			d.add(value, files.Position(tag.Pos()).Line)
			d.end()
		}
	}
}

// isProse reports whether a string is for a person and not a payload.
func isProse(text string) bool {
	text = strings.TrimSpace(verb.ReplaceAllString(text, "value"))
	return sentence.MatchString(text) && !strings.ContainsAny(text[:1], "{[<")
}
