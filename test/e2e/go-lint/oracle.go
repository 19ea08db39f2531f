// Answers from Kubernetes' Go packages: `oracle apis` prints the deprecated APIs that client-go knows, by GROUP/VERSION
// KIND; `oracle jsonpath FILE` answers the cases of fixtures/jsonpath/expected.json anew.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/printers"
	kscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

type deprecation struct {
	Deprecated  string `json:"deprecated"`
	Removed     string `json:"removed,omitempty"`
	Replacement string `json:"replacement,omitempty"`
}

type answers struct {
	Source string  `json:"source"`
	Values string  `json:"values"`
	Cases  []*path `json:"cases"`
}

type path struct {
	Path   string `json:"path"`
	Output string `json:"output"`
	Error  string `json:"error"`
}

func main() {
	if os.Args[1] == "apis" {
		print(deprecations())
		return
	}
	var file answers
	data, err := os.ReadFile(os.Args[2])
	check(err)
	check(json.Unmarshal(data, &file))
	values := map[string]any{}
	check(yaml.Unmarshal([]byte(file.Values), &values))
	for _, one := range file.Cases {
		one.answer(values)
	}
	print(file)
}

func (p *path) answer(values map[string]any) {
	p.Output, p.Error = "", ""
	printer, err := printers.NewJSONPathPrinter(p.Path)
	var out strings.Builder
	if err == nil {
		err = printer.Execute(&out, values)
	}
	if err != nil {
		p.Error = err.Error()
	}
	p.Output = out.String()
}

func deprecations() map[string]deprecation {
	scheme := runtime.NewScheme()
	check(kscheme.AddToScheme(scheme))
	found := map[string]deprecation{}
	for gvk := range scheme.AllKnownTypes() {
		object, err := scheme.New(gvk)
		if err != nil {
			continue
		}
		if one, ok := object.(interface{ APILifecycleDeprecated() (int, int) }); ok {
			apiVersion, kind := gvk.ToAPIVersionAndKind()
			found[apiVersion+" "+kind] = lifecycle(object, version(one.APILifecycleDeprecated()))
		}
	}
	return found
}

func lifecycle(object runtime.Object, deprecated string) deprecation {
	result := deprecation{Deprecated: deprecated}
	if one, ok := object.(interface{ APILifecycleRemoved() (int, int) }); ok {
		result.Removed = version(one.APILifecycleRemoved())
	}
	if one, ok := object.(interface {
		APILifecycleReplacement() schema.GroupVersionKind
	}); ok {
		apiVersion, kind := one.APILifecycleReplacement().ToAPIVersionAndKind()
		result.Replacement = strings.TrimSpace(apiVersion + " " + kind)
	}
	return result
}

func version(major, minor int) string { return fmt.Sprintf("%d.%d", major, minor) }

func print(value any) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	check(encoder.Encode(value))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
