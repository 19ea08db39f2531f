// Package template stands in for text/template in the tests of Sprig and of Helm's engine: it writes down what is
// rendered with which data, and what comes out.
package template

import (
	"bytes"
	"io"
	"text/template"

	"tshelm/record"
)

type FuncMap = template.FuncMap

type Template struct {
	*template.Template
	sources *[][2]string
}

func New(name string) *Template { return &Template{template.New(name), &[][2]string{}} }

func Must(t *Template, err error) *Template {
	if err != nil {
		panic(err)
	}
	return t
}

func (t *Template) New(name string) *Template { return &Template{t.Template.New(name), t.sources} }
func (t *Template) Funcs(functions FuncMap) *Template {
	return &Template{t.Template.Funcs(functions), t.sources}
}
func (t *Template) Option(options ...string) *Template {
	return &Template{t.Template.Option(options...), t.sources}
}
func (t *Template) Delims(left, right string) *Template {
	return &Template{t.Template.Delims(left, right), t.sources}
}

func (t *Template) Parse(text string) (*Template, error) {
	call := record.Begin("template", t.Name(), *t.sources, text, nil)
	parsed, err := t.Template.Parse(text)
	if err != nil {
		call.End(nil, err)
		return nil, err
	}
	*t.sources = append(*t.sources, [2]string{t.Name(), text})
	return &Template{parsed, t.sources}, nil
}

func (t *Template) Execute(out io.Writer, data any) error {
	call := record.Begin("template", t.Name(), *t.sources, nil, data)
	var text bytes.Buffer
	err := t.Template.Execute(&text, data)
	call.End(text.String(), err)
	if _, writeErr := out.Write(text.Bytes()); writeErr != nil {
		return writeErr
	}
	return err
}
