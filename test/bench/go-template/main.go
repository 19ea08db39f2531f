//go:build js

// Command go-template-wasm is Go's text/template in WebAssembly, with data as JSON: what compare.mjs compares with.
package main

import (
	"encoding/json"
	"strings"
	"syscall/js"
	"text/template"
)

func main() {
	var parsed []*template.Template
	js.Global().Set("goParse", js.FuncOf(func(_ js.Value, args []js.Value) any {
		made, err := template.New("t").Parse(args[0].String())
		if err != nil {
			return err.Error()
		}
		parsed = append(parsed, made)
		return len(parsed) - 1
	}))
	js.Global().Set("goExecute", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var data any
		if err := json.Unmarshal([]byte(args[1].String()), &data); err != nil {
			return []any{nil, err.Error()}
		}
		var text strings.Builder
		if err := parsed[args[0].Int()].Execute(&text, data); err != nil {
			return []any{nil, err.Error()}
		}
		return []any{text.String(), nil}
	}))
	select {}
}
