package main

import (
	"errors"
	"fmt"
)

// expiring says that --expiring-within found tokens. It is a result and no
// failure, so report gives its status and does not tell it.
type expiring struct{ count int }

func (e *expiring) Error() string { return fmt.Sprintf("%d tokens expire", e.count) }

func isExpiring(err error) bool {
	var e *expiring
	return errors.As(err, &e)
}
