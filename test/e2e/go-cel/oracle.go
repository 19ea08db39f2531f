// Answers from cel-go in the environment that Flux gives its health checks: `oracle FILE` answers the cases of
// fixtures/cel/expected.json anew.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
)

type answers struct {
	Source  string                    `json:"source"`
	Objects map[string]map[string]any `json:"objects"`
	Cases   []*question               `json:"cases"`
}

type question struct {
	Expression string `json:"expression"`
	Object     string `json:"object"`
	Answer     any    `json:"answer"`
}

func main() {
	file := os.Args[1]
	text, err := os.ReadFile(file)
	check(err)
	var known answers
	check(json.Unmarshal(text, &known))
	env, err := cel.NewEnv(cel.HomogeneousAggregateLiterals(), cel.EagerlyValidateDeclarations(true),
		cel.DefaultUTCTimeZone(true), cel.CrossTypeNumericComparisons(true), cel.OptionalTypes(),
		ext.Strings(), ext.Sets(), ext.Encoders())
	check(err)
	for _, one := range known.Cases {
		one.Answer = answer(env, one.Expression, whole(known.Objects[one.Object]))
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	check(encoder.Encode(known))
	check(os.WriteFile(file, out.Bytes(), 0o644))
}

func answer(env *cel.Env, expression string, object any) any {
	ast, issues := env.Parse(expression)
	if issues != nil && issues.Err() != nil {
		return "invalid"
	}
	program, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return "invalid"
	}
	value, _, err := program.Eval(object)
	if err != nil {
		return "error"
	}
	if truth, ok := value.(types.Bool); ok {
		return bool(truth)
	}
	return "error"
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
