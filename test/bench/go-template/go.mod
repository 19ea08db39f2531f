module go-template-wasm

go 1.26
