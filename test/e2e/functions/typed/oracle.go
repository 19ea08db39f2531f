// Renders every form of fixtures/functions/typed-cases.json for every value of it, each as the one template of a chart
// with a subchart, with Helm's own engine, and writes what came out: ../refresh.sh builds and runs it.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
)

type input struct {
	Helm   string            `json:"helm"`
	Files  map[string]string `json:"files"`
	Values []string          `json:"values"`
	Forms  []string          `json:"forms"`
	Others []string          `json:"others"`
}

// result is an output, or an error as "! " and its text.
type result = string

func main() {
	raw, err := os.ReadFile(os.Args[1])
	check(err)
	var in input
	check(json.Unmarshal(raw, &in))
	var text strings.Builder
	fmt.Fprintf(&text, "{\n\"table\": {\n")
	count := 0
	for i, form := range in.Forms {
		fmt.Fprintf(&text, "%s: [\n", quoted(form))
		for j, value := range in.Values {
			fmt.Fprintf(&text, "%s%s\n", answer(in, strings.ReplaceAll(form, "{v}", value)), comma(j, len(in.Values)))
			count++
		}
		fmt.Fprintf(&text, "]%s\n", comma(i, len(in.Forms)))
	}
	fmt.Fprintf(&text, "},\n\"others\": [\n")
	for i, other := range in.Others {
		fmt.Fprintf(&text, "%s%s\n", answer(in, other), comma(i, len(in.Others)))
		count++
	}
	text.WriteString("]\n}\n")
	check(os.WriteFile(os.Args[2], []byte(text.String()), 0o644))
	fmt.Fprintf(os.Stderr, "%d cases\n", count)
}

// answer is null where Helm does not always say the same: addresses, and Go's random order of keys.
func answer(in input, template string) string {
	first := render(in, template)
	if random.MatchString(template) {
		for range 4 {
			if render(in, template) != first {
				return "null"
			}
		}
	}
	if address.MatchString(first) || !utf8.ValidString(first) {
		return "null"
	}
	return quoted(shortened(strings.ReplaceAll(first, "parent/templates/case.txt", "@")))
}

// address matches what prints the address of something.
var address = regexp.MustCompile(`(?:0x|\b)[0-9a-f]{10,16}\b|\{0 \d+ \d+\}`)

// shortened keeps the beginning and the checksum of a long text.
func shortened(text string) string {
	if len(text) <= 200 {
		return text
	}
	return fmt.Sprintf("%s… %x", strings.ToValidUTF8(text[:100], ""), sha256.Sum256([]byte(text)))
}

// random matches the functions that walk maps in Go's random order.
var random = regexp.MustCompile(`keys|values|[mM]erge|pick|omit|[tT]oToml|gen|rand|deepCopy`)

func render(in input, template string) result {
	chrt := chartOf(in.Files)
	chrt.Templates = append(chrt.Templates, &common.File{Name: "templates/case.txt", Data: []byte(template)})
	defer func() { chrt.Templates = chrt.Templates[:len(chrt.Templates)-1] }()
	values, err := util.ToRenderValues(chrt, map[string]any{}, common.ReleaseOptions{
		Name: "rel", Namespace: "space", Revision: 3, IsUpgrade: true,
	}, common.DefaultCapabilities)
	check(err)
	files, err := engine.Render(chrt, values)
	if err != nil {
		return "! " + err.Error()
	}
	return files["parent/templates/case.txt"]
}

var loaded *chart.Chart

func chartOf(files map[string]string) *chart.Chart {
	if loaded != nil {
		return loaded
	}
	var buffered []*archive.BufferedFile
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		buffered = append(buffered, &archive.BufferedFile{Name: name, Data: []byte(files[name])})
	}
	chrt, err := loader.LoadFiles(buffered)
	check(err)
	loaded = chrt
	return chrt
}

func quoted(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(text))
	return strings.TrimSuffix(out.String(), "\n")
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
