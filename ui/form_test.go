package ui

import (
	"strings"
	"testing"
)

// What is typed is in view however much the field holds before it.
func TestForm_typedInView(t *testing.T) {
	d := onPage(t)
	d.keys("c")
	for _, name := range []string{"spark-production-etl", "flink-production-orders", "CN=ledger,OU=payments,O=Acme"} {
		d.typed(name)
		d.keys("enter")
	}
	d.typed("carol")
	d.sees("> Renewers", "carol_")
	d.keys("tab") // another field: the beginning is back
	d.sees("  Renewers                  spark-production-etl, ")
}

// So is the cursor, wherever in a long text it goes.
func TestForm_cursorInView(t *testing.T) {
	d := onPage(t)
	d.keys("2", "a", "tab")
	d.typed("start-" + strings.Repeat("abcdefghij", 10) + "-end")
	d.sees("-end_")
	d.keys("home")
	d.sees("|start-abc")
	d.keys("right", "right")
	d.sees("st|art-abc")
	d.keys("end")
	for range 3 {
		d.keys("left")
	}
	d.sees("-|e")
}
