#!/usr/bin/env bash
# Makes test/sops/fixtures anew with the real programs: sops 3.13 and age-keygen 1.3, which are in $1.
#   record.sh BIN
# Each file is encrypted by sops, and beside it is what sops makes of it again (*.plain.*). verdicts.json says of
# 250 changed files what sops makes of them, if anything.
set -euo pipefail
bin=$1
cd "$(dirname "$0")/fixtures"
rm -f -- *
"$bin/age-keygen" -o keys.txt 2>/dev/null
"$bin/age-keygen" -o other-keys.txt 2>/dev/null
recipient=$(grep -o 'age1.*' keys.txt)
other=$(grep -o 'age1.*' other-keys.txt)
export SOPS_AGE_KEY_FILE=$PWD/keys.txt

values='# a comment
password: hunter2
port: 5432
ratio: 1.50
large: 9007199254740993
exponent: 1e3
enabled: true
nothing: null
empty: ""
lines: |
  line one
  "two" ü ☃
list:
- user: jo # behind
  ports: [1, 2, deep]
- plain
date: 2024-05-06
"a key": '"'it''s'"'
nested: {a: {b: {c: "x: y # z"}}}
note_unencrypted: visible
hex_unencrypted: 0x1F
float_unencrypted: 1.10
time_unencrypted: 2024-05-06T07:08:09.5+02:00
switch_unencrypted: true
'
encrypt() { # NAME.EXT TEXT OPTIONS...
  local name=${1%.*} extension=${1##*.} text=$2
  shift 2
  printf %s "$text" > "$name.$extension"
  "$bin/sops" encrypt "$@" "$name.$extension" > "$name.encrypted.$extension"
  "$bin/sops" decrypt "$name.encrypted.$extension" > "$name.plain.$extension" 2>/dev/null || rm "$name.plain.$extension"
  rm "$name.$extension"
}
encrypt values.yaml "$values" --age "$recipient"
encrypt two-recipients.yaml "$values" --age "$other,$recipient"
encrypt some.yaml "$values" --age "$recipient" --encrypted-regex '^(password|list)$'
encrypt suffix.yaml "$values" --age "$recipient" --encrypted-suffix word
encrypt all-but.yaml "$values" --age "$recipient" --unencrypted-regex '^(port|nested|exponent)$'
printf 'creation_rules: [{age: %s, encrypted_regex: ^password$, mac_only_encrypted: true}]\n' "$recipient" > rules
SOPS_CONFIG=rules encrypt mac-of-encrypted.yaml "$values"
rm rules
# Texts that test/e2e/secrets.test.ts looks for everywhere.
encrypt canary.yaml $'file:\n  greeting: CANARY-of-sops-9f83b1\n  notes: |\n    a first line\n    CANARY-of-sops-line\n' --age "$recipient"
# Comments are encrypted too, those in lists as items of these lists.
encrypt comments.yaml $'# head\na: hunter2 # behind a value\n# between\nb:\n# of a list\n- one # behind an item\n- two\n# at the end of a list\nonly:\n  # nothing else\n  []\nlong: |\n  line one\n\n    line two\n" odd": "\\n lead"\nnested:\n- k: |-\n    text\n    more\n  l: [x, " y"]\n- - deep\n  - "deep\\ner"\nbreak_unencrypted: "\\u2028"\n# end\n' --age "$recipient"
encrypt documents.yaml $'a: 1\n---\nb: two\n' --age "$recipient"
encrypt for-other.yaml 'a: 1' --age "$other"
encrypt values.json '{"a":"sé\"x\u2028","n":1.5,"i":3,"l":["q",true,null],"o":{"k":"v"},"z_unencrypted":1.10}' --age "$recipient"
encrypt settings.env $'A=1\n# c\nB=two words\nC=x=y\n' --age "$recipient"
head -c 300 /dev/urandom > bytes.bin
"$bin/sops" encrypt --age "$recipient" bytes.bin > bytes.encrypted.bin
mv bytes.bin bytes.plain.bin
printf 'only text\n' > text.bin
"$bin/sops" encrypt --age "$recipient" text.bin > text.encrypted.bin
mv text.bin text.plain.bin

node ../change-files.mjs "$bin/sops" > verdicts.json
