// Package crowd gives a broker more users and ACL rules than anybody reads, for
// measurements. It needs a connection that may do that.
package crowd

import (
	"crypto/rand"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka/contract/raw"
)

// batch is how many things one request makes.
const batch = 1000

// Users gives so many users a password that nobody knows; n is a multiple of a
// thousand.
func Users(conn *raw.Conn, n int) error {
	for from := 0; from < n; from += batch {
		req := kmsg.NewPtrAlterUserSCRAMCredentialsRequest()
		for i := from; i < from+batch; i++ {
			u := kmsg.NewAlterUserSCRAMCredentialsRequestUpsertion()
			u.Name, u.Mechanism, u.Iterations, u.Salt, u.SaltedPassword = fmt.Sprintf("user-%06d", i), 1, 4096, []byte(rand.Text()), make([]byte, 32)
			req.Upsertions = append(req.Upsertions, u)
		}
		resp, err := conn.Do(req)
		if err != nil {
			return err
		}
		for _, r := range resp.(*kmsg.AlterUserSCRAMCredentialsResponse).Results {
			if r.ErrorCode != 0 {
				return fmt.Errorf("making a user answers %d", r.ErrorCode)
			}
		}
	}
	return nil
}

// Rules lets a user read so many topics, each by a rule of its own; n is a
// multiple of a thousand.
func Rules(conn *raw.Conn, user string, n int) error {
	for from := 0; from < n; from += batch {
		req := kmsg.NewPtrCreateACLsRequest()
		req.Version = 3
		for i := from; i < from+batch; i++ {
			r := kmsg.NewCreateACLsRequestCreation()
			r.ResourceType, r.ResourceName, r.ResourcePatternType = kmsg.ACLResourceTypeTopic, fmt.Sprintf("topic-%06d", i), kmsg.ACLResourcePatternTypeLiteral
			r.Principal, r.Host, r.Operation, r.PermissionType = "User:"+user, "*", kmsg.ACLOperationRead, kmsg.ACLPermissionTypeAllow
			req.Creations = append(req.Creations, r)
		}
		resp, err := conn.Do(req)
		if err != nil {
			return err
		}
		for _, r := range resp.(*kmsg.CreateACLsResponse).Results {
			if r.ErrorCode != 0 {
				return fmt.Errorf("making a rule answers %d", r.ErrorCode)
			}
		}
	}
	return nil
}
