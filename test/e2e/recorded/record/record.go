// Package record writes down what Helm's own tests ask of its packages, and what these answer: a line of JSON for each
// call into $RECORDS. instrument/main.go puts the calls of Begin and End into Helm's source.
package record

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Call is one call under way.
type Call struct {
	Package string           `json:"package"`
	Test    string           `json:"test"`
	Op      string           `json:"op"`
	Folder  string           `json:"folder"`
	Args    []any            `json:"args"`
	Results []any            `json:"results"`
	After   []any            `json:"after,omitempty"`
	Notes   []map[string]any `json:"notes,omitempty"`
	given   []any
	paths   bool
	after   bool
}

var (
	lock     sync.Mutex
	lastTest string
	output   *os.File
	origins  sync.Map
	// Go runs the tests of a package in its folder.
	startFolder, _ = os.Getwd()
)

// Begin notes the arguments as they are before the call.
func Begin(op string, args ...any) *Call {
	return begin(op, false, args)
}

// BeginPaths is Begin where texts may be paths: what they lead to is kept, since tests remove it.
func BeginPaths(op string, args ...any) *Call {
	return begin(op, true, args)
}

func begin(op string, paths bool, args []any) *Call {
	folder, _ := os.Getwd()
	call := &Call{Package: startFolder, Test: testName(), Op: op, Folder: folder, given: args, paths: paths}
	call.Args = call.encodeAll(args)
	return call
}

// Note adds what an argument that is a function answered.
func (c *Call) Note(asked any, answers ...any) {
	c.Notes = append(c.Notes, map[string]any{"asked": c.encode(reflect.ValueOf(asked), 0), "answers": c.encodeAll(answers)})
}

// After asks for the arguments as the call left them.
func (c *Call) KeepAfter() *Call {
	c.after = true
	return c
}

// End notes the results and writes the line.
func (c *Call) End(results ...any) {
	c.Results = c.encodeAll(results)
	if c.after {
		c.After = c.encodeAll(c.given)
	}
	c.write()
}

// Origin makes the first result known by the call that gave it: later calls show it so.
func (c *Call) Origin(result any) {
	value := reflect.ValueOf(result)
	if value.Kind() != reflect.Pointer || value.IsNil() {
		return
	}
	// Keeping the result and its parts keeps their addresses from being used again.
	known := origin{result, parts(value.Elem()), value.Elem().Type().String(), map[string]any{"op": c.Op, "args": c.Args}}
	origins.Store(value.Pointer(), known)
	for _, part := range known.parts {
		origins.Store(part.Pointer(), known)
	}
}

// The maps and lists of a struct, by which its copies are known.
func parts(value reflect.Value) []reflect.Value {
	found := []reflect.Value{}
	if value.Kind() != reflect.Struct {
		return found
	}
	for i := range value.NumField() {
		field := value.Field(i)
		if (field.Kind() == reflect.Map || field.Kind() == reflect.Slice && field.Len() > 0) && !field.IsNil() {
			found = append(found, field)
		}
	}
	return found
}

type origin struct {
	result any
	parts  []reflect.Value
	goType string
	call   map[string]any
}

func (c *Call) write() {
	lock.Lock()
	defer lock.Unlock()
	if output == nil {
		folder := os.Getenv("RECORDS")
		if folder == "" {
			return
		}
		var err error
		output, err = os.OpenFile(filepath.Join(folder, fmt.Sprintf("%d.jsonl", os.Getpid())), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			panic(err)
		}
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(c); err != nil {
		panic(fmt.Sprint(c.Op, ": ", err))
	}
	if _, err := output.Write(line.Bytes()); err != nil {
		panic(err)
	}
}

// Tap reads all, so that it is noted; what reads next gets the same.
func Tap(in io.Reader) (io.Reader, []byte) {
	if in == nil {
		return nil, nil
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return io.MultiReader(bytes.NewReader(data), failing{err}), data
	}
	return bytes.NewReader(data), data
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

var testFunction = regexp.MustCompile(`^(.*)\.(?:\(.*\)\.)?((?:Test|Fuzz|Example|Benchmark)\w*)`)

// The test that is running: of a goroutine of its own, the one that was seen last.
func testName() string {
	counters := make([]uintptr, 100)
	frames := runtime.CallersFrames(counters[:runtime.Callers(3, counters)])
	found := ""
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.File, "_test.go") {
			if match := testFunction.FindStringSubmatch(frame.Function); match != nil {
				found = match[2]
			}
		}
		if !more {
			break
		}
	}
	lock.Lock()
	defer lock.Unlock()
	if found == "" {
		return lastTest
	}
	lastTest = found
	return found
}

func (c *Call) encodeAll(values []any) []any {
	encoded := []any{}
	for _, value := range values {
		encoded = append(encoded, c.encode(reflect.ValueOf(value), 0))
	}
	return encoded
}

func tagged(tag string, goType string, value any) map[string]any {
	return map[string]any{"$": tag, "t": goType, "v": value}
}

var (
	errorType = reflect.TypeFor[error]()
	timeType  = reflect.TypeFor[time.Time]()
	plainMap  = reflect.TypeFor[map[string]any]()
	plainList = reflect.TypeFor[[]any]()
)

// JSON that keeps Go's types: what JSON has no word for is {"$": what, "t": Go's type, "v": value}.
func (c *Call) encode(value reflect.Value, depth int) any {
	if !value.IsValid() {
		return nil
	}
	goType := value.Type().String()
	if depth > 60 {
		return tagged("deep", goType, nil)
	}
	if value.Kind() == reflect.Interface {
		if value.IsNil() {
			return nil
		}
		return c.encode(value.Elem(), depth)
	}
	if special := c.special(value, goType, depth); special != nil {
		return special
	}
	switch value.Kind() {
	case reflect.Bool:
		if goType != "bool" {
			return tagged("bool", goType, value.Bool())
		}
		return value.Bool()
	case reflect.String:
		return c.text(value.String(), goType)
	case reflect.Float64, reflect.Float32:
		return number(value.Float(), goType)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return tagged("int", goType, strconv.FormatInt(value.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return tagged("int", goType, strconv.FormatUint(value.Uint(), 10))
	case reflect.Map:
		return c.mapping(value, goType, depth)
	case reflect.Slice, reflect.Array:
		return c.list(value, goType, depth)
	case reflect.Pointer:
		if value.IsNil() {
			return tagged("nil", goType, nil)
		}
		return tagged("pointer", goType, c.encode(value.Elem(), depth+1))
	case reflect.Struct:
		return tagged("struct", goType, c.fields(value, depth))
	}
	return tagged(value.Kind().String(), goType, nil)
}

// Errors, times, charts, and what an earlier call gave.
func (c *Call) special(value reflect.Value, goType string, depth int) any {
	if value.Kind() == reflect.Pointer && !value.IsNil() {
		if known, ok := origins.Load(value.Pointer()); ok {
			return tagged("origin", goType, known.(origin).call)
		}
		if buffer, ok := interfaceOf(value).(*bytes.Buffer); ok {
			return buffer.String()
		}
		if goType == "*v2.Chart" {
			return c.chart(value, depth)
		}
	}
	for _, part := range parts(value) {
		if known, ok := origins.Load(part.Pointer()); ok && known.(origin).goType == goType {
			return tagged("origin", goType, known.(origin).call)
		}
	}
	if goType != "support.Message" && value.Type().Implements(errorType) && value.CanInterface() && (value.Kind() != reflect.Pointer || !value.IsNil()) {
		return tagged("error", goType, value.Interface().(error).Error())
	}
	if info, ok := interfaceOf(value).(os.FileInfo); ok {
		return tagged("file", goType, map[string]any{"name": info.Name(), "isDir": info.IsDir()})
	}
	if strings.HasPrefix(value.Type().PkgPath(), "k8s.io/api") && value.Kind() == reflect.Struct && value.CanInterface() {
		data, err := json.Marshal(value.Interface())
		if err != nil {
			panic(err)
		}
		return tagged("object", goType, json.RawMessage(data))
	}
	if _, ok := interfaceOf(value).(context.Context); ok {
		return tagged("context", goType, nil)
	}
	if value.Type() == timeType && value.CanInterface() {
		return tagged("time", goType, value.Interface().(time.Time).Format(time.RFC3339Nano))
	}
	return nil
}

func interfaceOf(value reflect.Value) any {
	if !value.CanInterface() || (value.Kind() == reflect.Pointer && value.IsNil()) {
		return nil
	}
	return value.Interface()
}

// A chart with its subcharts, which are no exported fields.
func (c *Call) chart(value reflect.Value, depth int) any {
	fields := c.fields(value.Elem(), depth)
	children := []any{}
	found := value.MethodByName("Dependencies").Call(nil)[0]
	for i := range found.Len() {
		children = append(children, c.encode(found.Index(i), depth+1))
	}
	fields["Dependencies"] = children
	return tagged("chart", "*chart.Chart", fields)
}

func (c *Call) text(text string, goType string) any {
	if c.paths {
		if copied := snapshot(text); copied != "" {
			return map[string]any{"$": "path", "v": text, "copy": copied}
		}
	}
	if !utf8.ValidString(text) {
		return tagged("raw", goType, base64.StdEncoding.EncodeToString([]byte(text)))
	}
	if goType != "string" {
		return tagged("string", goType, text)
	}
	return text
}

func number(number float64, goType string) any {
	if goType != "float64" || math.IsNaN(number) || math.IsInf(number, 0) || (number == 0 && math.Signbit(number)) {
		return tagged("float", goType, strconv.FormatFloat(number, 'g', -1, 64))
	}
	return number
}

func (c *Call) mapping(value reflect.Value, goType string, depth int) any {
	if value.IsNil() {
		return tagged("nil", goType, nil)
	}
	if value.Type().Key().Kind() != reflect.String {
		pairs := []any{}
		for entries := value.MapRange(); entries.Next(); {
			pairs = append(pairs, []any{c.encode(entries.Key(), depth+1), c.encode(entries.Value(), depth+1)})
		}
		return tagged("pairs", goType, pairs)
	}
	entries := map[string]any{}
	for found := value.MapRange(); found.Next(); {
		entries[found.Key().String()] = c.encode(found.Value(), depth+1)
	}
	if _, clash := entries["$"]; clash || value.Type() != plainMap {
		return tagged("map", goType, entries)
	}
	return entries
}

func (c *Call) list(value reflect.Value, goType string, depth int) any {
	if value.Kind() == reflect.Slice && value.IsNil() {
		return tagged("nil", goType, nil)
	}
	if value.Kind() == reflect.Slice && value.Type().Elem().Kind() == reflect.Uint8 {
		return tagged("bytes", goType, base64.StdEncoding.EncodeToString(value.Bytes()))
	}
	items := []any{}
	for i := range value.Len() {
		items = append(items, c.encode(value.Index(i), depth+1))
	}
	if value.Type() != plainList {
		return tagged("list", goType, items)
	}
	return items
}

func (c *Call) fields(value reflect.Value, depth int) map[string]any {
	fields := map[string]any{}
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if field.IsExported() {
			fields[field.Name] = c.encode(value.Field(i), depth+1)
		}
	}
	return fields
}

var (
	copies    = map[string]string{}
	copyCount int
)

// A copy of the file or folder that a text leads to; empty where it is no path.
func snapshot(path string) string {
	if _, err := os.Stat(path); path == "" || err != nil || os.Getenv("RECORDS") == "" || filepath.Clean(path) == "/" {
		return ""
	}
	lock.Lock()
	defer lock.Unlock()
	if !filepath.IsAbs(path) {
		folder, _ := os.Getwd()
		path = filepath.Join(folder, path)
	}
	copyCount++
	target := filepath.Join(os.Getenv("RECORDS"), "copies", fmt.Sprintf("%d-%d", os.Getpid(), copyCount), filepath.Base(path))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		panic(err)
	}
	if copyAll(path, target, 0) != nil {
		return ""
	}
	return target
}

// Links become what they lead to; those that lead to no file or folder, or round in a circle, stay links.
func copyAll(from, to string, depth int) error {
	info, err := os.Stat(from)
	if err != nil || depth > 12 || !info.IsDir() && !info.Mode().IsRegular() {
		target, linkErr := os.Readlink(from)
		if linkErr != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	if !info.IsDir() {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	}
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	for _, entry := range entries {
		if err == nil {
			err = copyAll(filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name()), depth+1)
		}
	}
	return err
}
