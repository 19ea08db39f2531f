// Command go-template renders the cases of fixtures/template/cases.json with Go's own text/template
// and writes what came out, as the reference for tshelm's engine.
//
// Usage: go run . cases.json expected.json
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"
)

type caseFile struct {
	Data  map[string]json.RawMessage `json:"data"`
	Cases []testCase                 `json:"cases"`
}

type testCase struct {
	Source     string            `json:"source"`
	Data       string            `json:"data,omitempty"`
	MissingKey string            `json:"missingKey,omitempty"`
	Templates  map[string]string `json:"templates,omitempty"`
	Execute    string            `json:"execute,omitempty"`
}

type result struct {
	Text   *string `json:"text,omitempty"`
	Base64 *string `json:"base64,omitempty"`
	Error  *string `json:"error,omitempty"`
}

type resultFile struct {
	Go      string   `json:"go"`
	Results []result `json:"results"`
}

// user is a struct with a method; its twin in the tests is a GoObject.
type user struct {
	Name string
	Age  int
	Tags []string
	Next any
}

func (u user) Greet(greeting string) string           { return greeting + ", " + u.Name }
func (u user) Fail() (string, error)                  { return "", errors.New("user failed") }
func (u user) Self() user                             { return u }
func (u user) Join(sep string, rest ...string) string { return strings.Join(append(rest, u.Name), sep) }

// level is a string type with a String method.
type level string

func (l level) String() string { return "level " + string(l) }

// names is a list type with a method.
type names []string

func (n names) Has(name string) bool {
	for _, each := range n {
		if each == name {
			return true
		}
	}
	return false
}

// settings is a map type with a method.
type settings map[string]any

func (s settings) Count() int { return len(s) }

func decode(raw any) any {
	switch value := raw.(type) {
	case []any:
		list := make([]any, len(value))
		for i, element := range value {
			list[i] = decode(element)
		}
		return list
	case map[string]any:
		for key, content := range value {
			if strings.HasPrefix(key, "$") {
				return special(key, content)
			}
		}
		decoded := map[string]any{}
		for key, element := range value {
			decoded[key] = decode(element)
		}
		return decoded
	}
	return raw
}

func special(kind string, content any) any {
	switch kind {
	case "$int":
		return int(integer(content))
	case "$int8":
		return int8(integer(content))
	case "$int32":
		return int32(integer(content))
	case "$int64":
		return integer(content)
	case "$uint8":
		return uint8(integer(content))
	case "$uint64":
		number, err := strconv.ParseUint(content.(string), 10, 64)
		check(err)
		return number
	case "$float":
		number, err := strconv.ParseFloat(content.(string), 64)
		check(err)
		return number
	case "$strings":
		return texts(content)
	case "$names":
		return names(texts(content))
	case "$stringMap":
		decoded := map[string]string{}
		for key, element := range content.(map[string]any) {
			decoded[key] = element.(string)
		}
		return decoded
	case "$settings":
		return settings(decode(content).(map[string]any))
	case "$bytes":
		return decodeBase64(content)
	case "$raw":
		return string(decodeBase64(content))
	case "$level":
		return level(content.(string))
	case "$user":
		return newUser(content)
	case "$pointer":
		pointed := newUser(content)
		return &pointed
	case "$func":
		return strings.ToUpper
	}
	panic("unknown encoding " + kind)
}

func newUser(content any) user {
	fields := content.(map[string]any)
	return user{Name: fields["Name"].(string), Age: int(fields["Age"].(float64)), Tags: texts(fields["Tags"]), Next: decode(fields["Next"])}
}

func integer(content any) int64 {
	number, err := strconv.ParseInt(content.(string), 10, 64)
	check(err)
	return number
}

func texts(content any) []string {
	list := []string{}
	for _, element := range content.([]any) {
		list = append(list, element.(string))
	}
	return list
}

func decodeBase64(content any) []byte {
	decoded, err := base64.StdEncoding.DecodeString(content.(string))
	check(err)
	return decoded
}

// functions is what the cases may call; the tests define the same in TypeScript.
func functions(set *template.Template) template.FuncMap {
	return template.FuncMap{
		"upper": strings.ToUpper,
		"fail":  func(message string) (string, error) { return "", errors.New(message) },
		"list":  func(values ...any) []any { return append([]any{}, values...) },
		"dict": func(pairs ...any) map[string]any {
			made := map[string]any{}
			for i := 0; i+1 < len(pairs); i += 2 {
				made[fmt.Sprint(pairs[i])] = pairs[i+1]
			}
			return made
		},
		"same":  func(value any) any { return value },
		"none":  func() any { return nil },
		"count": func(values map[string]any) int { return len(values) },
		"join":  func(separator string, values []string) string { return strings.Join(values, separator) },
		"split": func(text string) []string { return strings.Split(text, ",") },
		"sum": func(numbers ...int) int {
			total := 0
			for _, number := range numbers {
				total += number
			}
			return total
		},
		"repeat":   func(count int, text string) string { return strings.Repeat(text, count) },
		"half":     func(number float64) float64 { return number / 2 },
		"flip":     func(truth bool) bool { return !truth },
		"long":     func(number int64) int64 { return number },
		"byte":     func(number uint8) uint8 { return number },
		"unsigned": func(number uint64) uint64 { return number },
		"items":    func(values []any) int { return len(values) },
		"getUpper": func() func(string) string { return strings.ToUpper },
		"getSum": func() func(int, ...int64) string {
			return func(first int, rest ...int64) string { return fmt.Sprint(first, rest) }
		},
		"getBad": func() func() (string, error) {
			return func() (string, error) { return "", errors.New("bad") }
		},
		"include": func(name string, data any) (string, error) {
			var text strings.Builder
			err := set.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
	}
}

func render(test testCase, data any) result {
	set := template.New("gotpl")
	set.Funcs(functions(set))
	if test.MissingKey == "" {
		test.MissingKey = "zero"
	}
	set.Option("missingkey=" + test.MissingKey)
	for _, name := range sortedNames(test.Templates) {
		if _, err := set.New(name).Parse(test.Templates[name]); err != nil {
			return failure(err)
		}
	}
	if _, err := set.New("t").Parse(test.Source); err != nil {
		return failure(err)
	}
	if test.Execute == "" {
		test.Execute = "t"
	}
	var text strings.Builder
	if err := set.ExecuteTemplate(&text, test.Execute, data); err != nil {
		return failure(err)
	}
	return success(text.String())
}

func sortedNames(templates map[string]string) []string {
	sorted := []string{}
	for name := range templates {
		sorted = append(sorted, name)
	}
	for i := range sorted {
		for j := i + 1; j < len(sorted); j++ {
			if sorted[j] < sorted[i] {
				sorted[i], sorted[j] = sorted[j], sorted[i]
			}
		}
	}
	return sorted
}

func success(text string) result {
	if utf8.ValidString(text) {
		return result{Text: &text}
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	return result{Base64: &encoded}
}

func failure(err error) result {
	message := strings.ToValidUTF8(err.Error(), "\uFFFD")
	return result{Error: &message}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	var file caseFile
	content, err := os.ReadFile(os.Args[1])
	check(err)
	check(json.Unmarshal(content, &file))
	results := resultFile{Go: runtime.Version()}
	for _, test := range file.Cases {
		name := test.Data
		if name == "" {
			name = "default"
		}
		var raw any
		check(json.Unmarshal(file.Data[name], &raw))
		results.Results = append(results.Results, render(test, decode(raw)))
	}
	check(os.WriteFile(os.Args[2], encode(results), 0o644))
}

// encode writes each result on a line of its own.
func encode(results resultFile) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	fmt.Fprintf(&text, "{\n \"go\": %q,\n \"results\": [\n", results.Go)
	for i, each := range results.Results {
		text.WriteString("  ")
		check(encoder.Encode(each))
		if i < len(results.Results)-1 {
			text.Truncate(text.Len() - 1)
			text.WriteString(",\n")
		}
	}
	text.WriteString(" ]\n}\n")
	return text.Bytes()
}
