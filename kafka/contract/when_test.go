package contract

import "dtok/kafka/contract/apache"

// condition says for which releases a case holds.
type condition func(apache.Release) bool

func always(apache.Release) bool { return true }

// since is a version and all later ones.
func since(version string) condition {
	return func(r apache.Release) bool { return r.Since(version) }
}

func before(version string) condition { return not(since(version)) }

func zooKeeper(r apache.Release) bool { return r.ZooKeeper() }

func not(c condition) condition {
	return func(r apache.Release) bool { return !c(r) }
}

func both(a, b condition) condition {
	return func(r apache.Release) bool { return a(r) && b(r) }
}

// offering are the releases whose brokers have a request.
func offering(key int16) condition {
	return func(r apache.Release) bool { return r.Offers(key) }
}

// The requests that come and go as a group.
const (
	createToken   = 38
	describeToken = 41
	clientQuotas  = 48 // from 2.6 on
	scramUsers    = 50 // from 2.7 on
)

// only narrows the cases down to releases.
func only(c condition, cases []contractCase) []contractCase {
	for i, one := range cases {
		cases[i].when = both(c, one.when)
	}
	return cases
}
