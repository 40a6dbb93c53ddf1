package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mutant is a file with one token replaced.
type mutant struct {
	file   string // below the module's root, with slashes
	line   int
	column int
	kind   string // as gremlins names it
	offset int    // of the token in the file, in bytes
	before token.Token
	after  token.Token
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d:%d %s (%s to %s)", m.file, m.line, m.column, m.kind, m.before,
		m.after)
}

// source returns the file as the mutant has it.
func (m mutant) source(original []byte) []byte {
	changed := slices.Clone(original[:m.offset])
	changed = append(changed, m.after.String()...)
	return append(changed, original[m.offset+len(m.before.String()):]...)
}

// replacements are the tokens that each kind of gremlins' mutants puts for others.
// Source: https://gremlins.dev/0.6/usage/mutations/
var replacements = map[string]map[token.Token]token.Token{
	"ARITHMETIC_BASE": {
		token.ADD: token.SUB, token.SUB: token.ADD,
		token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	},
	"CONDITIONALS_BOUNDARY": {
		token.GTR: token.GEQ, token.GEQ: token.GTR,
		token.LSS: token.LEQ, token.LEQ: token.LSS,
	},
	"CONDITIONALS_NEGATION": {
		token.EQL: token.NEQ, token.NEQ: token.EQL,
		token.GTR: token.LEQ, token.LEQ: token.GTR,
		token.LSS: token.GEQ, token.GEQ: token.LSS,
	},
	"INCREMENT_DECREMENT": {token.INC: token.DEC, token.DEC: token.INC},
	"INVERT_ASSIGNMENTS": {
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
		token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
		token.REM_ASSIGN: token.MUL_ASSIGN,
	},
	"INVERT_BITWISE": {
		token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND,
		token.SHL: token.SHR, token.SHR: token.SHL,
	},
	"INVERT_BWASSIGN": {
		token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN,
		token.XOR_ASSIGN: token.AND_ASSIGN, token.AND_NOT_ASSIGN: token.AND_ASSIGN,
		token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
	},
	"INVERT_LOGICAL":   {token.LAND: token.LOR, token.LOR: token.LAND},
	"INVERT_LOOPCTRL":  {token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK},
	"INVERT_NEGATIVES": {token.SUB: token.ADD},
	"REMOVE_SELF_ASSIGNMENTS": {
		token.ADD_ASSIGN: token.ASSIGN, token.SUB_ASSIGN: token.ASSIGN,
		token.MUL_ASSIGN: token.ASSIGN, token.QUO_ASSIGN: token.ASSIGN,
		token.REM_ASSIGN: token.ASSIGN,
		token.AND_ASSIGN: token.ASSIGN, token.OR_ASSIGN: token.ASSIGN,
		token.XOR_ASSIGN:     token.ASSIGN,
		token.AND_NOT_ASSIGN: token.ASSIGN, token.SHL_ASSIGN: token.ASSIGN,
		token.SHR_ASSIGN: token.ASSIGN,
	},
}

// position is a place in a file as the parser counts it: columns are bytes, and both begin at 1.
type position struct{ line, column int }

// tokens returns the tokens of a file that a mutant may replace. It leaves out &x and ^x, which
// gremlins lists among the operators of two operands: the address of a value is no operation on
// bits.
func tokens(root, file string) (map[position]ast.Node, *token.FileSet, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, filepath.Join(root, filepath.FromSlash(file)), nil,
		parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	found := map[position]ast.Node{}
	ast.Inspect(parsed, func(node ast.Node) bool {
		if _, at := operator(node); at.IsValid() {
			p := set.Position(at)
			found[position{p.Line, p.Column}] = node
		}
		return true
	})
	return found, set, nil
}

// operator returns the token of a node that a mutant may replace, and token.NoPos for other nodes.
func operator(node ast.Node) (token.Token, token.Pos) {
	switch n := node.(type) {
	case *ast.AssignStmt:
		return n.Tok, n.TokPos
	case *ast.BinaryExpr:
		return n.Op, n.OpPos
	case *ast.BranchStmt:
		return n.Tok, n.TokPos
	case *ast.IncDecStmt:
		return n.Tok, n.TokPos
	case *ast.UnaryExpr:
		if n.Op == token.SUB {
			return n.Op, n.OpPos
		}
	}
	return token.ILLEGAL, token.NoPos
}

// mutantsOf returns the mutants of a file at the places that wanted names. Two kinds that give the
// same code, such as both kinds for a minus, are one mutant. A kind that replacements lacks is an
// error, so that a newer gremlins is noticed.
func mutantsOf(root, file string, wanted []listedMutant) ([]mutant, error) {
	found, set, err := tokens(root, file)
	if err != nil {
		return nil, err
	}
	var mutants []mutant
	for _, w := range wanted {
		node, known := found[position{w.Line, w.Column}]
		if !known {
			continue // &x or ^x
		}
		before, at := operator(node)
		kind, known := replacements[w.Type]
		if !known {
			return nil, fmt.Errorf("%s:%d:%d: %s is not a known kind of mutant; expected a row of replacements",
				file, w.Line, w.Column, w.Type)
		}
		after, known := kind[before]
		if !known {
			return nil, fmt.Errorf("%s:%d:%d: %s has no replacement for %s", file, w.Line, w.Column,
				w.Type, before)
		}
		m := mutant{file, w.Line, w.Column, w.Type, set.Position(at).Offset, before, after}
		if !slices.ContainsFunc(mutants,
			func(o mutant) bool { return o.offset == m.offset && o.after == m.after }) {
			mutants = append(mutants, m)
		}
	}
	return mutants, nil
}

// at returns every mutant at a place FILE:LINE:COLUMN.
func (m *module) at(place string) ([]mutant, error) {
	parts := strings.Split(place, ":")
	if len(parts) != 3 {
		return nil, fmt.Errorf("-mutant: %q is not a place; use FILE:LINE:COLUMN as the list of survivors has it",
			place)
	}
	line, lineErr := strconv.Atoi(parts[1])
	column, columnErr := strconv.Atoi(parts[2])
	if lineErr != nil || columnErr != nil {
		return nil, fmt.Errorf("-mutant: %q has no line and column; use FILE:LINE:COLUMN", place)
	}
	found, _, err := tokens(m.root, parts[0])
	if err != nil {
		return nil, err
	}
	node, known := found[position{line, column}]
	if !known {
		return nil, fmt.Errorf("-mutant: %s has no token that a mutant replaces", place)
	}
	before, _ := operator(node)
	var wanted []listedMutant
	for kind, tokens := range replacements {
		if _, known := tokens[before]; known {
			wanted = append(wanted, listedMutant{Type: kind, Line: line, Column: column})
		}
	}
	slices.SortFunc(wanted, func(a, b listedMutant) int { return cmp.Compare(a.Type, b.Type) })
	mutants, err := mutantsOf(m.root, parts[0], wanted)
	if err == nil && len(mutants) == 0 {
		err = fmt.Errorf("-mutant: %s has no token that a mutant replaces", place)
	}
	return mutants, err
}

// shuffled returns the mutants in the random order of a seed, whatever order they were listed in.
func shuffled(mutants []mutant, seed uint64) []mutant {
	order := slices.Clone(mutants)
	slices.SortFunc(order, func(a, b mutant) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.offset, b.offset),
			cmp.Compare(a.kind, b.kind))
	})
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// write writes the mutant's file into a folder and returns its path.
func (m mutant) write(root, folder string) (string, error) {
	original, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.file)))
	if err != nil {
		return "", err
	}
	target := filepath.Join(folder, "mutant.go")
	return target, os.WriteFile(target, m.source(original), 0o600)
}
