// Answers questions about quantities with upstream's own code.
//
// Reads one JSON object {"a", "op", "b"} a line and writes an array of the same objects with "answer" added; see cases.ts for the operations.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

type question struct {
	A      string `json:"a"`
	Op     string `json:"op"`
	B      string `json:"b,omitempty"`
	Answer string `json:"answer"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	separator := "[\n"
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		q.Answer = answer(q)
		line, err := json.Marshal(q)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintf(out, "%s%s", separator, line)
		separator = ",\n"
	}
	fmt.Fprintln(out, "\n]")
}

func answer(q question) string {
	if q.Op == "json" {
		var parsed resource.Quantity
		if err := json.Unmarshal([]byte(q.A), &parsed); err != nil {
			return "error"
		}
		return describe(parsed)
	}
	a, err := resource.ParseQuantity(q.A)
	if err != nil {
		return "error"
	}
	switch q.Op {
	case "parse":
		return describe(a)
	case "neg":
		a.Neg()
		return describe(a)
	}
	b, err := resource.ParseQuantity(q.B)
	if err != nil {
		return "error"
	}
	switch q.Op {
	case "add":
		a.Add(b)
		return describe(a)
	case "sub":
		a.Sub(b)
		return describe(a)
	case "cmp":
		return strconv.Itoa(a.Cmp(b))
	}
	return "unknown operation"
}

// describe prints everything a caller can see of a quantity. AsInt64 comes first, as other calls change the representation.
func describe(q resource.Quantity) string {
	integer := "none"
	if i, ok := q.AsInt64(); ok {
		integer = strconv.FormatInt(i, 10)
	}
	approximate := "NaN"
	if f := q.AsApproximateFloat64(); !math.IsNaN(f) {
		approximate = fmt.Sprintf("%016x", math.Float64bits(f))
	}
	return fmt.Sprintf("%s %s int=%s value=%d milli=%d sign=%d bits=%s",
		q.String(), q.Format, integer, q.Value(), q.MilliValue(), q.Sign(), approximate)
}
