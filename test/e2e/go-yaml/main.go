// Computes the expected side of fixtures/{yaml,json,toml,base64}/*.json with the libraries that Helm uses.
//
//	cd test/e2e/go-yaml && go run . ../../../fixtures/{yaml,json,toml,base64}/*.json
//
// Each file is rewritten: "cases" keep their operation and input and get Go's output or error.
package main

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/BurntSushi/toml"
	"sigs.k8s.io/yaml"
	yamlv3 "sigs.k8s.io/yaml/goyaml.v3"
)

type fixture struct {
	GeneratedBy string            `json:"generatedBy"`
	Versions    map[string]string `json:"versions"`
	Cases       []testCase        `json:"cases"`
}

type testCase struct {
	Operation string  `json:"operation"`
	Input     string  `json:"input"`
	Output    *string `json:"output,omitempty"`
	Error     *string `json:"error,omitempty"`
}

func main() {
	for _, path := range os.Args[1:] {
		if err := regenerate(path); err != nil {
			fmt.Fprintln(os.Stderr, path, err)
			os.Exit(1)
		}
	}
}

func regenerate(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var f fixture
	if err := json.Unmarshal(content, &f); err != nil {
		return err
	}
	f.GeneratedBy = "test/e2e/go-yaml"
	f.Versions = versions()
	for i := range f.Cases {
		c := &f.Cases[i]
		c.Output, c.Error = nil, nil
		output, err := run(c.Operation, c.Input)
		if err != nil {
			message := err.Error()
			c.Error = &message
		} else {
			text := string(output)
			c.Output = &text
		}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(f); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

func versions() map[string]string {
	found := map[string]string{"go": runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			found[module.Path] = module.Version
		}
	}
	return found
}

func run(operation, input string) ([]byte, error) {
	switch operation {
	case "readYaml":
		var value any
		return asJSON(&value, yaml.Unmarshal([]byte(input), &value))
	case "readYamlStrict":
		var value any
		return asJSON(&value, yaml.UnmarshalStrict([]byte(input), &value))
	case "readYamlMap":
		value := map[string]any{}
		return asJSON(&value, yaml.Unmarshal([]byte(input), &value))
	case "readYamlList":
		value := []any{}
		return asJSON(&value, yaml.Unmarshal([]byte(input), &value))
	case "writeYaml":
		return yaml.Marshal(valueOf(input))
	case "writeYamlPretty":
		var out bytes.Buffer
		encoder := yamlv3.NewEncoder(&out)
		encoder.SetIndent(2)
		err := encoder.Encode(valueOf(input))
		return out.Bytes(), err
	case "readJson":
		var value any
		return asJSON(&value, json.Unmarshal([]byte(input), &value))
	case "readJsonMap":
		value := map[string]any{}
		return asJSON(&value, json.Unmarshal([]byte(input), &value))
	case "readJsonList":
		value := []any{}
		return asJSON(&value, json.Unmarshal([]byte(input), &value))
	case "writeJson":
		return json.Marshal(valueOf(input))
	case "writeJsonIndented":
		return json.MarshalIndent(valueOf(input), "", "  ")
	case "writeJsonRaw":
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		err := encoder.Encode(valueOf(input))
		return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
	case "writeToml":
		var out bytes.Buffer
		err := toml.NewEncoder(&out).Encode(valueOf(input))
		return out.Bytes(), err
	case "readToml":
		value := map[string]any{}
		return asJSON(&value, toml.Unmarshal([]byte(input), &value))
	case "decodeBase64":
		return base64.StdEncoding.DecodeString(input)
	case "decodeBase32":
		return base32.StdEncoding.DecodeString(input)
	}
	return nil, fmt.Errorf("unknown operation %s", operation)
}

func asJSON(value any, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

// valueOf reads the JSON text that stands for a value to be written.
func valueOf(text string) any {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
	return value
}
