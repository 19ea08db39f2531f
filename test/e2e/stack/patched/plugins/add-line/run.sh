#!/bin/sh
cat
printf -- '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: added}\ndata: {args: "%s"}\n' "$*"
