// Package template here is Go's own: exec-tests.test.ts lays this file over text/template, beside its exec_test.go, and
// so gets the tables of Go's tests with what Go answers.
package template

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

type dumped struct {
	Name       string `json:"name"`
	Delimiters string `json:"delimiters,omitempty"`
	Input      string `json:"input"`
	Data       any    `json:"data"`
	Output     string `json:"output"`
	Error      string `json:"error,omitempty"`
}

func TestDump(t *testing.T) {
	var all []dumped
	for _, pair := range []string{"", "<< >>", "[[ ]]", "<% %>", "(日) (本)", "| |", "$ @", "{ }"} {
		for _, test := range execTests {
			all = append(all, answered(test, pair))
		}
	}
	for _, test := range cmpTests {
		if !strings.Contains(test.expr, ".") || strings.Contains(test.expr, "1.5") || strings.Contains(test.expr, "2.") {
			input := fmt.Sprintf("{{if %s}}true{{else}}false{{end}}", test.expr)
			all = append(all, answered(execTest{test.expr, input, test.truth, nil, test.ok}, ""))
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(os.Getenv("DUMP"), text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func answered(test execTest, pair string) dumped {
	left, right, _ := strings.Cut(pair, " ")
	input := test.input
	if pair != "" {
		input = strings.NewReplacer("{{", left, "}}", right).Replace(input)
	}
	answer := dumped{Name: test.name, Delimiters: pair, Input: input, Data: encoded(test.data)}
	var text strings.Builder
	parsed, err := New(test.name).Delims(left, right).Funcs(functions()).Parse(input)
	if err == nil {
		err = parsed.Execute(&text, test.data)
	}
	if err != nil {
		answer.Error = err.Error()
	} else {
		answer.Output = text.String()
	}
	return answer
}

func functions() FuncMap {
	return FuncMap{
		"add": add, "count": count, "dddArg": dddArg, "die": func() bool { panic("die") }, "echo": echo,
		"makemap": makemap, "mapOfThree": mapOfThree, "oneArg": oneArg, "returnInt": returnInt,
		"stringer": stringer, "twoArgs": twoArgs, "typeOf": typeOf, "valueString": valueString, "vfunc": vfunc,
		"zeroArgs": zeroArgs,
	}
}

func encoded(data any) any {
	if data == nil {
		return nil
	}
	value := reflect.ValueOf(data)
	kind := fmt.Sprintf("%T", data)
	if data == tVal || data == &iVal {
		return map[string]any{"type": "tVal"}
	}
	switch value.Kind() {
	case reflect.Map, reflect.Slice:
		return map[string]any{"type": kind, "value": data}
	case reflect.Struct, reflect.Func, reflect.Pointer, reflect.Complex128:
		return map[string]any{"type": kind}
	}
	return map[string]any{"type": kind, "value": fmt.Sprint(data)}
}
