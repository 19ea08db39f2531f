// Asks Helm's own packages what becomes of the cases in fixtures/{set,coalesce,load,ignore,schema,semver}/cases.json;
// refresh.sh builds and runs it.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/cli/values"
	"helm.sh/helm/v4/pkg/getter"
	"helm.sh/helm/v4/pkg/ignore"
)

type file[T any] struct {
	Helm  string `json:"helm"`
	Cases []T    `json:"cases"`
}

func main() {
	switch os.Args[1] {
	case "set":
		answer(setCase)
	case "coalesce":
		answer(coalesceCase)
	case "load":
		answer(loadCase)
	case "schema":
		answer(schemaCase)
	case "ignore":
		answer(ignoreCase)
	case "semver":
		answer(semverCase)
	}
}

func answer[In, Out any](run func(In) Out) {
	raw, err := os.ReadFile(os.Args[2])
	check(err)
	var in file[In]
	check(json.Unmarshal(raw, &in))
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n\"helm\": %q,\n\"results\": [\n", in.Helm)
	for i, c := range in.Cases {
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		check(encoder.Encode(run(c)))
		out.WriteString(strings.TrimSpace(line.String()))
		if i+1 < len(in.Cases) {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("]\n}\n")
	check(os.WriteFile(os.Args[3], out.Bytes(), 0o644))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// Marks int64, which JSON cannot tell from float64.
func typed(v any) any {
	switch v := v.(type) {
	case int64:
		return map[string]any{"int64": strconv.FormatInt(v, 10)}
	case map[string]any:
		out := map[string]any{}
		for k, item := range v {
			out[k] = typed(item)
		}
		return out
	case []any:
		out := []any{}
		for _, item := range v {
			out = append(out, typed(item))
		}
		return out
	}
	return v
}

func logs(run func()) []string {
	var out bytes.Buffer
	withoutTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: withoutTime})))
	run()
	lines := []string{}
	if text := strings.TrimSpace(out.String()); text != "" {
		lines = strings.Split(text, "\n")
	}
	sort.Strings(lines)
	return lines
}

// Set: flags and the values they give.

type setInput struct {
	Files   []string `json:"files,omitempty"` // their contents
	JSON    []string `json:"json,omitempty"`
	Set     []string `json:"set,omitempty"`
	String  []string `json:"string,omitempty"`
	File    []string `json:"file,omitempty"`
	Literal []string `json:"literal,omitempty"`
}

type setOutput struct {
	Values any    `json:"values,omitempty"`
	Error  string `json:"error,omitempty"`
}

// The folder that cases call DIR; it has a file "note".
func setCase(in setInput) setOutput {
	dir, err := os.MkdirTemp("", "set")
	check(err)
	defer os.RemoveAll(dir)
	check(os.WriteFile(filepath.Join(dir, "note"), []byte("line 1\nline 2\n"), 0o600))
	opts := values.Options{JSONValues: in.JSON, Values: in.Set, StringValues: in.String, LiteralValues: in.Literal}
	for _, text := range in.File {
		opts.FileValues = append(opts.FileValues, strings.ReplaceAll(text, "DIR", dir))
	}
	for i, content := range in.Files {
		path := filepath.Join(dir, fmt.Sprintf("%d.yaml", i))
		check(os.WriteFile(path, []byte(content), 0o600))
		opts.ValueFiles = append(opts.ValueFiles, path)
	}
	vals, err := opts.MergeValues(getter.Providers{})
	if err != nil {
		return setOutput{Error: strings.ReplaceAll(err.Error(), dir, "DIR")}
	}
	return setOutput{Values: typed(vals)}
}

// Coalesce: a tree of charts with values, and the user's values over it.

type chartInput struct {
	Name         string              `json:"name"`
	Version      string              `json:"version,omitempty"`
	Values       map[string]any      `json:"values,omitempty"`
	Dependencies []*chart.Dependency `json:"dependencies,omitempty"`
	Charts       []chartInput        `json:"charts,omitempty"`
}

func (in chartInput) chart() *chart.Chart {
	version := in.Version
	if version == "" {
		version = "1.0.0"
	}
	c := &chart.Chart{Values: in.Values}
	if c.Values == nil {
		c.Values = map[string]any{}
	}
	dependencies := []*chart.Dependency{}
	for _, d := range in.Dependencies {
		copied := *d
		dependencies = append(dependencies, &copied)
	}
	c.Metadata = &chart.Metadata{Name: in.Name, Version: version, APIVersion: "v2", Dependencies: dependencies}
	if in.Dependencies == nil {
		c.Metadata.Dependencies = nil
	}
	for _, sub := range in.Charts {
		c.AddDependency(sub.chart())
	}
	return c
}

type coalesceInput struct {
	Chart  chartInput     `json:"chart"`
	Values map[string]any `json:"values,omitempty"`
}

type tree struct {
	Name         string              `json:"name"`
	Values       map[string]any      `json:"values"`
	Dependencies []*chart.Dependency `json:"dependencies,omitempty"`
	Charts       []tree              `json:"charts,omitempty"`
}

func treeOf(c *chart.Chart) tree {
	out := tree{Name: c.Name(), Values: c.Values, Dependencies: c.Metadata.Dependencies}
	for _, sub := range c.Dependencies() {
		out.Charts = append(out.Charts, treeOf(sub))
	}
	return out
}

type coalesceOutput struct {
	Coalesced any      `json:"coalesced,omitempty"`
	Merged    any      `json:"merged,omitempty"`
	Error     string   `json:"error,omitempty"`
	Logs      []string `json:"logs"`
	// After ProcessDependencies.
	Processed      *tree    `json:"processed,omitempty"`
	ProcessedError string   `json:"processedError,omitempty"`
	ProcessedLogs  []string `json:"processedLogs"`
	Rendered       any      `json:"rendered,omitempty"`
}

func coalesceCase(in coalesceInput) coalesceOutput {
	first := coalesceOnce(in)
	for range 20 {
		if again := coalesceOnce(in); !reflect.DeepEqual(asJSON(first), asJSON(again)) {
			panic("depends on the order of a Go map: " + asJSON(in))
		}
	}
	return first
}

func asJSON(v any) string {
	out, err := json.Marshal(v)
	check(err)
	return string(out)
}

func clone(in coalesceInput) coalesceInput {
	var out coalesceInput
	check(json.Unmarshal([]byte(asJSON(in)), &out))
	if out.Values == nil {
		out.Values = map[string]any{}
	}
	return out
}

func coalesceOnce(in coalesceInput) coalesceOutput {
	out := coalesceOutput{}
	out.Logs = logs(func() {
		c := clone(in)
		vals, err := util.CoalesceValues(c.Chart.chart(), c.Values)
		if err != nil {
			out.Error = err.Error()
			return
		}
		out.Coalesced = vals
	})
	logs(func() {
		c := clone(in)
		if vals, err := util.MergeValues(c.Chart.chart(), c.Values); err == nil {
			out.Merged = vals
		}
	})
	c := clone(in)
	processed := c.Chart.chart()
	out.ProcessedLogs = logs(func() {
		if err := chartutil.ProcessDependencies(processed, c.Values); err != nil {
			out.ProcessedError = err.Error()
			return
		}
		result := treeOf(processed)
		out.Processed = &result
	})
	if out.Processed != nil {
		logs(func() {
			if vals, err := util.CoalesceValues(processed, c.Values); err == nil {
				out.Rendered = vals
			}
		})
	}
	return out
}

// Load: a folder of files, or an archive of entries.

type entry struct {
	Name   string `json:"name"`
	Text   string `json:"text,omitempty"`
	Base64 []byte `json:"base64,omitempty"`
	Link   string `json:"link,omitempty"`
	Repeat int    `json:"repeat,omitempty"`
	Folder bool   `json:"folder,omitempty"`
	// An archive in a folder.
	Archive []entry `json:"archive,omitempty"`
}

func (e entry) data() []byte {
	if e.Archive != nil {
		return pack(e.Archive)
	}
	if e.Base64 != nil {
		return e.Base64
	}
	return []byte(strings.Repeat(e.Text, max(1, e.Repeat)))
}

type loadInput struct {
	Files   []entry `json:"files,omitempty"`
	Archive []entry `json:"archive,omitempty"`
	// What a file that is no archive consists of, and its name.
	Raw     []byte `json:"raw,omitempty"`
	RawName string `json:"rawName,omitempty"`
}

type loadOutput struct {
	// The archives that were made, so that a test reads the same bytes.
	Archive []byte            `json:"archive,omitempty"`
	Inner   map[string][]byte `json:"inner,omitempty"`
	Chart   *loadedChart      `json:"chart,omitempty"`
	Error   string            `json:"error,omitempty"`
	Logs    []string          `json:"logs"`
}

type loadedChart struct {
	Metadata  *chart.Metadata   `json:"metadata"`
	Lock      *chart.Lock       `json:"lock,omitempty"`
	Values    map[string]any    `json:"values"`
	Schema    []byte            `json:"schema,omitempty"`
	Templates map[string][]byte `json:"templates"`
	Files     []string          `json:"files"`
	Raw       []string          `json:"raw"`
	Charts    []loadedChart     `json:"charts,omitempty"`
	CRDs      []string          `json:"crds,omitempty"`
}

var modified = time.Unix(1700000000, 0)

func pack(entries []entry) []byte {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	packed := tar.NewWriter(zipped)
	for _, e := range entries {
		data := e.data()
		header := &tar.Header{Name: e.Name, Mode: 0o644, Size: int64(len(data)), ModTime: modified, Typeflag: tar.TypeReg}
		if e.Link != "" {
			header = &tar.Header{Name: e.Name, Linkname: e.Link, Typeflag: tar.TypeSymlink, ModTime: modified}
			data = nil
		}
		if e.Folder {
			header = &tar.Header{Name: e.Name, Mode: 0o755, Typeflag: tar.TypeDir, ModTime: modified}
			data = nil
		}
		check(packed.WriteHeader(header))
		_, err := packed.Write(data)
		check(err)
	}
	check(packed.Close())
	check(zipped.Close())
	return out.Bytes()
}

func loadCase(in loadInput) loadOutput {
	dir, err := os.MkdirTemp("", "load")
	check(err)
	defer os.RemoveAll(dir)
	out := loadOutput{}
	target := filepath.Join(dir, "chart")
	switch {
	case in.Archive != nil:
		out.Archive = pack(in.Archive)
		target += ".tgz"
		check(os.WriteFile(target, out.Archive, 0o600))
		if len(out.Archive) > 50_000 {
			out.Archive = nil
		}
	case in.RawName != "":
		target = filepath.Join(dir, in.RawName)
		check(os.WriteFile(target, in.Raw, 0o600))
	default:
		check(os.Mkdir(target, 0o700))
		for _, e := range in.Files {
			path := filepath.Join(target, e.Name)
			check(os.MkdirAll(filepath.Dir(path), 0o700))
			if e.Link != "" {
				check(os.Symlink(e.Link, path))
				continue
			}
			if e.Archive != nil {
				if out.Inner == nil {
					out.Inner = map[string][]byte{}
				}
				out.Inner[e.Name] = e.data()
			}
			check(os.WriteFile(path, e.data(), 0o600))
		}
	}
	out.Logs = logs(func() {
		loaded, err := loader.Load(target)
		if err != nil {
			// For a file, Helm keeps the cause to itself; for a stream it does not.
			if err.Error() == "unable to load chart archive" {
				packed, _ := os.ReadFile(target)
				_, err = loader.LoadArchive(bytes.NewReader(packed))
			}
			out.Error = strings.ReplaceAll(err.Error(), dir, "DIR")
			return
		}
		dump := dumpChart(loaded.(*chart.Chart))
		out.Chart = &dump
	})
	for i, line := range out.Logs {
		out.Logs[i] = strings.ReplaceAll(line, dir, "DIR")
	}
	return out
}

func dumpChart(c *chart.Chart) loadedChart {
	out := loadedChart{Metadata: c.Metadata, Lock: c.Lock, Values: c.Values, Schema: c.Schema, Templates: map[string][]byte{}}
	for _, f := range c.Templates {
		out.Templates[f.Name] = f.Data
	}
	if out.Values == nil {
		out.Values = map[string]any{}
	}
	out.Files = names(c.Files)
	out.Raw = names(c.Raw)
	for _, sub := range c.Dependencies() {
		out.Charts = append(out.Charts, dumpChart(sub))
	}
	sort.Slice(out.Charts, func(a, b int) bool { return out.Charts[a].Metadata.Name < out.Charts[b].Metadata.Name })
	if c.IsRoot() {
		for _, crd := range c.CRDObjects() {
			out.CRDs = append(out.CRDs, crd.Filename)
		}
		sort.Strings(out.CRDs)
	}
	return out
}

func names(files []*common.File) []string {
	out := []string{}
	for _, f := range files {
		out = append(out, f.Name)
	}
	return out
}

// Ignore: the lines of a .helmignore file, and paths (folders end with "/").

type ignoreInput struct {
	Rules []string `json:"rules"`
	Paths []string `json:"paths"`
}

type ignoreOutput struct {
	Ignored []string `json:"ignored"`
	Error   string   `json:"error,omitempty"`
}

type pathInfo struct {
	os.FileInfo
	folder bool
}

func (p pathInfo) IsDir() bool { return p.folder }

func ignoreCase(in ignoreInput) ignoreOutput {
	rules, err := ignore.Parse(strings.NewReader(strings.Join(in.Rules, "\n")))
	if err != nil {
		return ignoreOutput{Error: err.Error(), Ignored: []string{}}
	}
	rules.AddDefaults()
	out := ignoreOutput{Ignored: []string{}}
	for _, path := range in.Paths {
		if rules.Ignore(strings.TrimSuffix(path, "/"), pathInfo{folder: strings.HasSuffix(path, "/")}) {
			out.Ignored = append(out.Ignored, path)
		}
	}
	return out
}

// Schema: values against a schema; a string schema is taken as text that may be no JSON.

type schemaInput struct {
	Schema json.RawMessage `json:"schema"`
	Values json.RawMessage `json:"values"`
	// Ways to give integers as --set does.
	Set []string `json:"set,omitempty"`
}

type schemaOutput struct {
	Error string   `json:"error,omitempty"`
	Logs  []string `json:"logs,omitempty"`
	// The order of lines depends on the order of Go's maps.
	Unordered bool `json:"unordered,omitempty"`
}

func schemaCase(in schemaInput) schemaOutput {
	schema := []byte(in.Schema)
	var text string
	if json.Unmarshal(schema, &text) == nil {
		schema = []byte(text)
	}
	opts := values.Options{Values: in.Set}
	if in.Values != nil {
		opts.JSONValues = []string{string(in.Values)}
	}
	vals, err := opts.MergeValues(getter.Providers{})
	check(err)
	c := &chart.Chart{Metadata: &chart.Metadata{Name: "app"}, Schema: schema}
	out := schemaOutput{}
	out.Logs = logs(func() {
		for range 30 {
			if err := util.ValidateAgainstSchema(c, vals); err != nil {
				out.Unordered = out.Unordered || out.Error != "" && out.Error != err.Error()
				out.Error = err.Error()
			}
		}
	})
	return out
}

// Semver: every version against every constraint.

type semverInput struct {
	Versions    []string `json:"versions"`
	Constraints []string `json:"constraints"`
}

type semverOutput struct {
	// Complete, or "error: …".
	Versions []string `json:"versions"`
	// A digit for each good version, or "error: …".
	Constraints []string `json:"constraints"`
	// The good versions, each before those that are not lower.
	Sorted []string `json:"sorted"`
}

func semverCase(in semverInput) semverOutput {
	out := semverOutput{}
	var good []*semver.Version
	for _, text := range in.Versions {
		version, err := semver.NewVersion(text)
		if err != nil {
			out.Versions = append(out.Versions, "error: "+err.Error())
			continue
		}
		good = append(good, version)
		out.Versions = append(out.Versions, version.String())
	}
	for _, text := range in.Constraints {
		constraint, err := semver.NewConstraint(text)
		if err != nil {
			out.Constraints = append(out.Constraints, "error: "+err.Error())
			continue
		}
		digits := ""
		for _, version := range good {
			if constraint.Check(version) {
				digits += "1"
			} else {
				digits += "0"
			}
		}
		out.Constraints = append(out.Constraints, digits)
	}
	sort.SliceStable(good, func(a, b int) bool { return good[a].LessThan(good[b]) })
	for _, version := range good {
		out.Sorted = append(out.Sorted, version.Original())
	}
	return out
}
