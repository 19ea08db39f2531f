module tshelm/record

go 1.26
