// Command literals prints every text that stands in Go source files, each once, as a JSON list: the inputs of tests.
//
// Usage: go run ./literals FILE...
package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
)

func main() {
	found := []string{}
	seen := map[string]bool{}
	keep := func(text string) {
		if !seen[text] {
			seen[text] = true
			found = append(found, text)
		}
	}
	for _, path := range os.Args[1:] {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		check(err)
		ast.Inspect(file, func(node ast.Node) bool {
			expression, ok := node.(ast.Expr)
			if !ok {
				return true
			}
			text, ok := constant(expression)
			if ok {
				keep(text)
			}
			return !ok
		})
	}
	check(json.NewEncoder(os.Stdout).Encode(found))
}

// constant is the text of a literal, or of several that are added.
func constant(expression ast.Expr) (string, bool) {
	switch expression := expression.(type) {
	case *ast.BasicLit:
		if expression.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(expression.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, leftIs := constant(expression.X)
		right, rightIs := constant(expression.Y)
		return left + right, leftIs && rightIs && expression.Op == token.ADD
	}
	return "", false
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
