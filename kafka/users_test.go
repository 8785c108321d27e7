package kafka

import (
	"testing"
	"time"
)

// What has passed is shown only where nothing is still to come.
func TestNextExpiry(t *testing.T) {
	at := func(minutes int) time.Time { return someDay.Add(time.Duration(minutes) * time.Minute) }
	for _, test := range []struct{ expiries, want []int }{
		{[]int{5}, []int{5}}, {[]int{-5}, []int{-5}}, {[]int{9, 5, 7}, []int{5}}, {[]int{-9, 5, 7}, []int{5}}, {[]int{7, -1}, []int{7}},
		{[]int{-3, -9, -1}, []int{-9}}, {[]int{0, 4}, []int{4}}, {[]int{0, -1}, []int{-1}}, {nil, nil},
	} {
		var got, want time.Time
		for _, m := range test.expiries {
			got = NextExpiry(got, at(m), someDay)
		}
		for _, m := range test.want {
			want = at(m)
		}
		if !got.Equal(want) {
			t.Errorf("%v: %v, want %v", test.expiries, got, want)
		}
	}
}
