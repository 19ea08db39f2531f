// Answers from cel-go in the environment of Kubernetes' API server: `oracle FILE` answers the cases of
// fixtures/cel/kubernetes.json anew; `oracle - < EXPRESSIONS` answers one expression a line.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

type answers struct {
	Source string         `json:"source"`
	Object map[string]any `json:"object"`
	Cases  []*question    `json:"cases"`
}

// question has an answer, or the error of its evaluation, or is invalid: it does not compile.
type question struct {
	Expression string `json:"expression"`
	Answer     any    `json:"answer,omitempty"`
	Error      string `json:"error,omitempty"`
	Invalid    bool   `json:"invalid,omitempty"`
}

func main() {
	set := environment.MustBaseEnvSet(version.MajorMinor(1, 36))
	extended, err := set.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("object", cel.DynType)},
	})
	check(err)
	env := extended.StoredExpressionsEnv()
	if os.Args[1] == "-" {
		lines := bufio.NewScanner(os.Stdin)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			one := question{Expression: lines.Text()}
			answer(env, &one, map[string]any{})
			write(os.Stdout, one, "")
		}
		return
	}
	text, err := os.ReadFile(os.Args[1])
	check(err)
	var known answers
	check(json.Unmarshal(text, &known))
	for _, one := range known.Cases {
		*one = question{Expression: one.Expression}
		answer(env, one, whole(known.Object).(map[string]any))
	}
	var out bytes.Buffer
	write(&out, known, "  ")
	check(os.WriteFile(os.Args[1], out.Bytes(), 0o644))
}

func write(out interface{ Write([]byte) (int, error) }, value any, indent string) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	check(encoder.Encode(value))
}

func answer(env *cel.Env, one *question, object map[string]any) {
	ast, issues := env.Compile(one.Expression)
	if issues.Err() != nil {
		one.Invalid = true
		return
	}
	program, err := env.Program(ast)
	if err != nil {
		one.Invalid = true
		return
	}
	value, _, err := program.Eval(map[string]any{"object": object})
	if err != nil {
		one.Error = err.Error()
		return
	}
	one.Answer = plain(value)
}

// plain shows a value as JSON; what JSON has no word for as its type.
func plain(value ref.Val) any {
	switch value := value.(type) {
	case types.Bool, types.String, types.Double:
		return value.Value()
	case types.Int:
		return int64(value)
	case types.Null:
		return "null"
	case *types.Optional:
		if !value.HasValue() {
			return "optional.none"
		}
		return []any{"optional", plain(value.GetValue())}
	case traits.Lister:
		list := []any{}
		for each := value.Iterator(); each.HasNext() == types.True; {
			list = append(list, plain(each.Next()))
		}
		return list
	case traits.Mapper:
		result := map[string]any{}
		for each := value.Iterator(); each.HasNext() == types.True; {
			key := each.Next()
			result[fmt.Sprint(key.Value())] = plain(value.Get(key))
		}
		return result
	}
	return "type " + strings.TrimPrefix(value.Type().TypeName(), "google.protobuf.")
}

// Whole numbers are int64, as in Kubernetes' unstructured objects.
func whole(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			value[key] = whole(member)
		}
	case []any:
		for index, item := range value {
			value[index] = whole(item)
		}
	case float64:
		if value == float64(int64(value)) {
			return int64(value)
		}
	}
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
