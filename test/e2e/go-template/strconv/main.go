// Command strconv writes what Go's strconv answers to a table of texts and numbers, as the reference for tshelm's.
//
// Usage: go run ./strconv strconv.json
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

type row []any

func main() {
	out := map[string][]row{}
	ints := strings.Split("0 1 -1 +1 007 0x1F 0b101 0o17 017 1_000 0x_1 _1 1__0 09 0x 0b2 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 abc 1.5 1e3 é  - + 00 0_0 1_ zz", " ")
	for _, s := range ints {
		for _, b := range []int{10, 0, 16, 36} {
			v, e := strconv.ParseInt(s, b, 64)
			out["parseInt"] = append(out["parseInt"], row{s, b, fmt.Sprint(v), msg(e)})
			u, e := strconv.ParseUint(s, b, 64)
			out["parseUint"] = append(out["parseUint"], row{s, b, fmt.Sprint(u), msg(e)})
		}
		v, e := strconv.Atoi(s)
		out["atoi"] = append(out["atoi"], row{s, fmt.Sprint(v), msg(e)})
	}
	for _, s := range []string{"127", "128", "-128", "-129"} {
		v, e := strconv.ParseInt(s, 10, 8)
		out["parseInt8"] = append(out["parseInt8"], row{s, fmt.Sprint(v), msg(e)})
	}
	for _, s := range strings.Split("0 -0 1 1. .5 . 1.5 +1.5 1e3 1E-3 1e 1e+ 1e400 -1e400 1e-400 inf -Inf +Infinity infin nan NaN +nan 0x1p4 0x1.8p1 0x.8p1 0xp1 0x1 0x1p-1074 0x1p-1075 0x1.8p-1075 0x1.fffffffffffffp1023 0x1p1024 0x1.00000000000008p0 0x1.000000000000080001p0 1_000.5 1__0 _1 1_ 0x_1p0 1_e3 123456789012345678901234567890 abc  1,5 5e-324 2.2250738585072011e-308", " ") {
		v, e := strconv.ParseFloat(s, 64)
		out["parseFloat"] = append(out["parseFloat"], row{s, strconv.FormatFloat(v, 'g', -1, 64), msg(e)})
	}
	for _, s := range []string{`""`, `"a"`, `"a\n\t\"\\"`, `"\x41\u2603\U0001D11E\101"`, `"\xff"`, `"\xc3\xa9"`, `"\q"`, `"\400"`, `"\ud800"`, `"a`, `a"`, `a`, ``, `"`, "`raw\\n`", "`a\rb`", "`a`b`", `'a'`, `'ab'`, `'\''`, `'"'`, `"'"`, `"\'"`, `'☃'`, "\"a\nb\"", `"a"b"`} {
		v, e := strconv.Unquote(s)
		out["unquote"] = append(out["unquote"], row{s, v, msg(e)})
	}
	for _, s := range []string{"", "plain", "a\"b\\c", "\a\b\f\n\r\t\v\x00\x1f\x7f", "é☃𝄞", "\u00a0\u00ad\u200b\u2028\ufeff\ufffd\U000e0001", "'`"} {
		out["quote"] = append(out["quote"], row{s, strconv.Quote(s), strconv.QuoteToASCII(s), strconv.CanBackquote(s)})
	}
	for _, r := range []rune{'a', '\'', '"', '\\', '\n', 0x2603, 0x1d11e, -1, 0xd800, 0x110000, 0x200b} {
		out["quoteRune"] = append(out["quoteRune"], row{r, strconv.QuoteRune(r), strconv.QuoteRuneToASCII(r)})
	}
	for _, f := range []float64{0, 1, -1.5, 0.1, 123456789, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2.5, 0.5, 999.95, 1234.5678, 100000, 1000000} {
		for _, v := range "eEfgGbxX" {
			for _, p := range []int{-1, 0, 1, 3, 17} {
				out["formatFloat"] = append(out["formatFloat"], row{strconv.FormatFloat(f, 'g', -1, 64), string(v), p, strconv.FormatFloat(f, byte(v), p, 64)})
			}
		}
	}
	for _, s := range []string{"1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False", "yes", "", "tRUE"} {
		v, e := strconv.ParseBool(s)
		out["parseBool"] = append(out["parseBool"], row{s, v, msg(e)})
	}
	var b strings.Builder
	b.WriteString("{\n")
	for i, k := range []string{"parseInt", "parseUint", "parseInt8", "atoi", "parseFloat", "parseBool", "unquote", "quote", "quoteRune", "formatFloat"} {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, " %q: [\n", k)
		for j, r := range out[k] {
			x, _ := json.Marshal(r)
			if j > 0 {
				b.WriteString(",\n")
			}
			b.WriteString("  ")
			b.Write(x)
		}
		b.WriteString("\n ]")
	}
	b.WriteString("\n}\n")
	os.WriteFile(os.Args[1], []byte(b.String()), 0644)
}
func msg(e error) any {
	if e == nil {
		return nil
	}
	return e.Error()
}
