module tshelm/test/e2e/go-yaml

go 1.26

require (
	github.com/BurntSushi/toml v1.6.0
	sigs.k8s.io/yaml v1.6.0
)

require (
	go.yaml.in/yaml/v2 v2.4.4 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)
