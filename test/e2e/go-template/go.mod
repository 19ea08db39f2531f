module tshelm.example/go-template

go 1.26
