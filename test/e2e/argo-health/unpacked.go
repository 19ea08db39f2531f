// Prints the files below a folder of a zip archive as JSON: path to text.
package main

import (
	"archive/zip"
	"encoding/json"
	"io"
	"log"
	"os"
	"strings"
)

func main() {
	archive, err := zip.OpenReader(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	files := map[string]string{}
	for _, file := range archive.File {
		_, path, found := strings.Cut(file.Name, "/"+os.Args[2]+"/")
		if !found || !strings.HasSuffix(path, ".yaml") {
			continue
		}
		reader, err := file.Open()
		if err != nil {
			log.Fatal(err)
		}
		text, err := io.ReadAll(reader)
		if err != nil {
			log.Fatal(err)
		}
		files[path] = string(text)
	}
	if err := json.NewEncoder(os.Stdout).Encode(files); err != nil {
		log.Fatal(err)
	}
}
