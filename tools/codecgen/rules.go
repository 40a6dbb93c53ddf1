package main

import "go/ast"

// readRules finds the functions that check a whole struct. They are the arguments of WithRule. The
// result is by the type that their only parameter points to.
func (p *Package) readRules(sources []*ast.File) {
	parameters := map[string]string{}
	for _, source := range sources {
		for _, declaration := range source.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && f.Recv == nil &&
				len(f.Type.Params.List) == 1 {
				parameters[f.Name.Name] = pointedName(f.Type.Params.List[0].Type)
			}
		}
	}
	for _, source := range sources {
		ast.Inspect(source, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok && len(call.Args) == 1 &&
				calledName(call) == "WithRule" {
				if rule, ok := call.Args[0].(*ast.Ident); ok {
					p.rules[parameters[rule.Name]] = rule.Name
				}
			}
			return true
		})
	}
}

// pointedName returns the name of a pointer's target type, or "" for other types.
func pointedName(expr ast.Expr) string {
	pointer, ok := expr.(*ast.StarExpr)
	if !ok {
		return ""
	}
	switch t := pointer.X.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return selected(t)
	default:
		return ""
	}
}

func calledName(call *ast.CallExpr) string {
	if f, ok := call.Fun.(*ast.SelectorExpr); ok {
		return f.Sel.Name
	}
	return ""
}
