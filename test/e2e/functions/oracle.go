// Renders every case of fixtures/functions/cases.json with Helm's own template functions and
// writes what came out: refresh.sh builds and runs it.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"text/template"
	"unicode/utf8"
	_ "unsafe"

	_ "helm.sh/helm/v4/pkg/engine"
)

//go:linkname helmFunctions helm.sh/helm/v4/pkg/engine.funcMap
func helmFunctions() template.FuncMap

type input struct {
	Helm  string              `json:"helm"`
	Data  json.RawMessage     `json:"data"`
	Sets  map[string][]string `json:"sets"`
	Cases map[string][]string `json:"cases"`
}

type result struct {
	Template string  `json:"template"`
	Output   *string `json:"output,omitempty"`
	Bytes    []byte  `json:"bytes,omitempty"` // in place of Output, where that is not UTF-8
	Error    string  `json:"error,omitempty"`
}

func main() {
	raw, err := os.ReadFile(os.Args[1])
	check(err)
	var in input
	check(json.Unmarshal(raw, &in))
	functions := helmFunctions()
	functions["getHostByName"] = func(string) string { return "" }

	out := map[string][]result{}
	count := 0
	for group, patterns := range in.Cases {
		seen := map[string]bool{}
		for _, pattern := range patterns {
			for _, text := range expand(pattern, in.Sets) {
				if !strings.Contains(text, "{{") {
					text = "{{ " + text + " }}"
				}
				if seen[text] {
					continue
				}
				seen[text] = true
				out[group] = append(out[group], render(text, in.Data, functions))
				count++
			}
		}
	}
	write(in, out)
	fmt.Fprintf(os.Stderr, "%d cases in %d groups\n", count, len(out))
}

// expand replaces each {set} by every member of that set.
func expand(pattern string, sets map[string][]string) []string {
	for name, members := range sets {
		marker := "{" + name + "}"
		if !strings.Contains(pattern, marker) {
			continue
		}
		var all []string
		for _, member := range members {
			all = append(all, expand(strings.Replace(pattern, marker, member, 1), sets)...)
		}
		return all
	}
	return []string{pattern}
}

// render gives every case its own copy of the data, because functions such as set change it.
func render(text string, data json.RawMessage, functions template.FuncMap) result {
	var fresh map[string]any
	check(json.Unmarshal(data, &fresh))
	t, err := template.New("case").Option("missingkey=zero").Funcs(functions).Parse(text)
	if err != nil {
		return result{Template: text, Error: err.Error()}
	}
	var out strings.Builder
	if err := t.Execute(&out, fresh); err != nil {
		return result{Template: text, Error: err.Error()}
	}
	output := out.String()
	if !utf8.ValidString(output) {
		return result{Template: text, Bytes: []byte(output)}
	}
	return result{Template: text, Output: &output}
}

func write(in input, out map[string][]result) {
	var data bytes.Buffer
	check(json.Compact(&data, in.Data))
	var text strings.Builder
	fmt.Fprintf(&text, "{\n\"helm\": %q,\n\"timeZone\": %q,\n\"data\": %s,\n\"cases\": {\n", in.Helm, os.Getenv("TZ"), data.String())
	groups := make([]string, 0, len(out))
	for group := range out {
		groups = append(groups, group)
	}
	sort.Strings(groups)
	for i, group := range groups {
		fmt.Fprintf(&text, "%q: [\n", group)
		sort.Slice(out[group], func(a, b int) bool { return out[group][a].Template < out[group][b].Template })
		for j, one := range out[group] {
			line, err := json.Marshal(one)
			check(err)
			fmt.Fprintf(&text, "%s%s\n", line, comma(j, len(out[group])))
		}
		fmt.Fprintf(&text, "]%s\n", comma(i, len(groups)))
	}
	text.WriteString("}\n}\n")
	check(os.WriteFile(os.Args[2], []byte(text.String()), 0o644))
}

func comma(index, length int) string {
	if index == length-1 {
		return ""
	}
	return ","
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
