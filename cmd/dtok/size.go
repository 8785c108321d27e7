package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// size is a number of bytes on the command line: 67108864, 64M, 64MB, 64MiB.
// The units are powers of 1024.
type size int64

var sizeUnits = []struct {
	letter string
	bytes  int64
}{{"G", 1 << 30}, {"M", 1 << 20}, {"K", 1 << 10}}

// String is the size in the largest unit that it is a whole number of.
func (s *size) String() string {
	for _, u := range sizeUnits {
		if n := int64(*s); n != 0 && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.letter
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Set reads a size.
func (s *size) Set(text string) error {
	number, unit := strings.ToUpper(strings.TrimSpace(text)), int64(1)
	number = strings.TrimSuffix(strings.TrimSuffix(number, "B"), "I")
	for _, u := range sizeUnits {
		if n, ok := strings.CutSuffix(number, u.letter); ok {
			number, unit = strings.TrimSpace(n), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("%q is no size; write a number of bytes, or such as 64M", text)
	}
	*s = size(n * unit)
	return nil
}

// Type is what pflag's help calls it.
func (s *size) Type() string { return "size" }
