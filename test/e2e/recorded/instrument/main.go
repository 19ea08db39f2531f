// instrument SOURCE LIST: puts a wrapper around each function that LIST names, which writes its calls down.
// A line of LIST: FOLDER FUNCTION [paths] [after] [origin]; a method is TYPE.FUNCTION.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	list, err := os.Open(os.Args[2])
	check(err)
	lines := bufio.NewScanner(list)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) < 2 || strings.HasPrefix(words[0], "#") {
			continue
		}
		folder := filepath.Join(os.Args[1], words[0])
		if !slices.ContainsFunc(sources(folder), func(path string) bool { return wrap(path, words) }) {
			panic("no function " + words[1] + " in " + folder)
		}
	}
	check(lines.Err())
}

func sources(folder string) []string {
	all, err := filepath.Glob(filepath.Join(folder, "*.go"))
	check(err)
	return slices.DeleteFunc(all, func(path string) bool { return strings.HasSuffix(path, "_test.go") })
}

// wrap tells whether the file has the function.
func wrap(path string, words []string) bool {
	text, err := os.ReadFile(path)
	check(err)
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, text, parser.ParseComments)
	check(err)
	for _, declaration := range parsed.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || nameOf(function) != words[1] {
			continue
		}
		at := func(pos token.Pos) int { return files.Position(pos).Offset }
		source := wrapped{function, words, func(node ast.Node) string { return string(text[at(node.Pos()):at(node.End())]) }}
		var out strings.Builder
		start, packageEnd := at(function.Name.Pos()), at(parsed.Name.End())
		out.Write(text[:packageEnd])
		if !strings.Contains(string(text), `"tshelm/record"`) {
			out.WriteString("\nimport tshelmrecord \"tshelm/record\"\n")
		}
		out.Write(text[packageEnd:start])
		out.WriteString("unrecorded")
		out.Write(text[start:])
		out.WriteString(source.wrapper())
		formatted, err := format.Source([]byte(out.String()))
		check(err)
		check(os.WriteFile(path, formatted, 0o644))
		return true
	}
	return false
}

// nameOf is Name, or Type.Name of a method.
func nameOf(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return function.Name.Name
	}
	receiver := function.Recv.List[0].Type
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver = pointer.X
	}
	if name, ok := receiver.(*ast.Ident); ok {
		return name.Name + "." + function.Name.Name
	}
	return ""
}

type wrapped struct {
	function *ast.FuncDecl
	words    []string
	text     func(ast.Node) string
}

func (w wrapped) has(option string) bool { return slices.Contains(w.words[2:], option) }

func (w wrapped) wrapper() string {
	var out strings.Builder
	params, noted, passed, before := w.params()
	receiver, called := "", "unrecorded"+w.function.Name.Name
	if w.function.Recv != nil {
		receiver, called = "(self "+w.text(w.function.Recv.List[0].Type)+") ", "self."+called
		noted = append([]string{"self"}, noted...)
	}
	results, count := "", 0
	if list := w.function.Type.Results; list != nil {
		types := []string{}
		for _, field := range list.List {
			for range max(1, len(field.Names)) {
				types = append(types, w.text(field.Type))
			}
		}
		results, count = "("+strings.Join(types, ", ")+")", len(types)
	}
	begin := "Begin"
	if w.has("paths") {
		begin = "BeginPaths"
	}
	fmt.Fprintf(&out, "\nfunc %s%s(%s) %s {\n", receiver, w.function.Name.Name, strings.Join(params, ", "), results)
	taps, notes := []string{}, []string{}
	for _, line := range before {
		if strings.Contains(line, "call.") {
			notes = append(notes, line)
		} else {
			taps = append(taps, line)
		}
	}
	fmt.Fprintln(&out, strings.Join(taps, "\n"))
	operation := filepath.Base(w.words[0]) + "." + w.words[1]
	fmt.Fprintf(&out, "call := tshelmrecord.%s(%s)\n", begin, strings.Join(append([]string{fmt.Sprintf("%q", operation)}, noted...), ", "))
	if w.has("after") {
		fmt.Fprintln(&out, "call.KeepAfter()")
	}
	fmt.Fprintln(&out, strings.Join(notes, "\n"))
	names := []string{}
	for i := range count {
		names = append(names, fmt.Sprintf("result%d", i))
	}
	all := strings.Join(names, ", ")
	if count > 0 {
		fmt.Fprintf(&out, "%s := ", all)
	}
	fmt.Fprintf(&out, "%s(%s)\ncall.End(%s)\n", called, strings.Join(passed, ", "), all)
	if w.has("origin") {
		fmt.Fprintln(&out, "call.Origin(result0)")
	}
	fmt.Fprintf(&out, "return %s\n}\n", all)
	return out.String()
}

// The parameters as declared, as noted and as handed on, and what is to be done before the call.
func (w wrapped) params() (params, noted, passed, before []string) {
	index := 0
	for _, field := range w.function.Type.Params.List {
		typeText := w.text(field.Type)
		for range max(1, len(field.Names)) {
			name := fmt.Sprintf("arg%d", index)
			index++
			params = append(params, name+" "+typeText)
			switch {
			case typeText == "io.Reader":
				before = append(before, fmt.Sprintf("%s, %sBytes := tshelmrecord.Tap(%s)", name, name, name))
				noted, passed = append(noted, name+"Bytes"), append(passed, name)
			case typeText == "RunesValueReader":
				before = append(before, fmt.Sprintf("given%s := %s\n%s = func(asked []rune) (any, error) { v, err := given%s(asked); call.Note(string(asked), v, err); return v, err }", name, name, name, name))
				noted, passed = append(noted, "nil"), append(passed, name)
			case strings.HasPrefix(typeText, "..."):
				noted, passed = append(noted, name), append(passed, name+"...")
			default:
				noted, passed = append(noted, name), append(passed, name)
			}
		}
	}
	return params, noted, passed, before
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
