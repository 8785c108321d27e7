package apache

import (
	"context"
	"crypto/rand"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"dtok/kafka/contract/raw"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Admin is the super user.
const Admin = "admin"

// Users can sign in with PLAIN and SCRAM. Admin is the only super user.
var Users = []string{Admin, "ops", "alice", "bob", "carol", "spark-etl", "flink-orders"}

// Password is the password of one of Users.
func Password(user string) string { return user + "-secret" }

var mechanisms = []string{raw.ScramSHA256, raw.ScramSHA512}

// spares is how many users with PLAIN alone a node has where users cannot be
// made while it runs.
const spares = 600

func spare(i int) string { return fmt.Sprintf("spare-%d", i) }

// SpareUser is a user that nobody was given before and that signs in with PLAIN
// alone, for brokers that do not let clients make users (before Kafka 2.7).
func (n *Node) SpareUser() (string, error) {
	i := int(n.spared.Add(1))
	if n.Release.Offers(51) || i > spares {
		return "", fmt.Errorf("Apache Kafka %s was not given more than %d spare users", n.Release.Name, i-1)
	}
	return spare(i), nil
}

// plainUsers are those of PLAIN as a JAAS entry lists them.
func (n *Node) plainUsers() string {
	users := Users
	if !n.Release.Offers(51) {
		for i := range spares {
			users = append(users[:len(users):len(users)], spare(i+1))
		}
	}
	var all []string
	for _, user := range users {
		all = append(all, fmt.Sprintf("user_%s=%q", user, Password(user)))
	}
	return strings.Join(all, " ")
}

// usersInFormat are the arguments that let StorageTool make the users.
func usersInFormat() (args []string) {
	for _, user := range Users {
		for _, mechanism := range mechanisms {
			args = append(args, "--add-scram", fmt.Sprintf("%s=[name=%s,password=%s]", mechanism, user, Password(user)))
		}
	}
	return args
}

// usersInZooKeeper makes them with a tool that writes to ZooKeeper itself. Its
// arguments are visible to other users of the machine, which for these
// passwords does not matter.
func (n *Node) usersInZooKeeper(ctx context.Context) error {
	for _, user := range Users {
		var config []string
		for _, mechanism := range mechanisms {
			config = append(config, fmt.Sprintf("%s=[iterations=4096,password=%s]", mechanism, Password(user)))
		}
		args := append(append([]string{}, jvm...), n.flags()...)
		args = append(args, "-Xmx64m", "-cp", n.ClassPath, n.Release.ToolClass("ConfigCommand"),
			"--zookeeper", fmt.Sprintf("127.0.0.1:%d", n.ports[zooKeeper]), "--alter",
			"--entity-type", "users", "--entity-name", user, "--add-config", strings.Join(config, ","))
		if out, err := exec.CommandContext(ctx, "java", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("making user %s in ZooKeeper: %w\n%s", user, err, out)
		}
	}
	return nil
}

// usersThroughBroker makes them with AlterUserScramCredentials and waits until
// the last of them can sign in: changes arrive in their order. A broker that has
// just started may still close a connection that it has accepted.
func (n *Node) usersThroughBroker(ctx context.Context) error {
	for i, mechanism := range mechanisms {
		if err := n.insist(ctx, func() error { return n.setPasswords(ctx, mechanism, int8(i+1)) }); err != nil {
			return fmt.Errorf("making users: %w", err)
		}
	}
	last := Users[len(Users)-1]
	for _, mechanism := range mechanisms {
		err := n.insist(ctx, func() error {
			c, err := n.dialAs(ctx, raw.Credentials{Mechanism: mechanism, User: last, Password: Password(last)})
			if err == nil {
				c.Close()
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("user %s cannot sign in: %w", last, err)
		}
	}
	return nil
}

// setPasswords gives all users their password for one mechanism.
func (n *Node) setPasswords(ctx context.Context, mechanism string, code int8) error {
	c, err := n.dialAdmin(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	req := kmsg.NewPtrAlterUserSCRAMCredentialsRequest()
	for _, user := range Users {
		u := kmsg.NewAlterUserSCRAMCredentialsRequestUpsertion()
		u.Name, u.Mechanism, u.Iterations, u.Salt = user, code, 4096, []byte(rand.Text())
		if u.SaltedPassword, err = raw.SaltedPassword(mechanism, Password(user), u.Salt, 4096); err != nil {
			return err
		}
		req.Upsertions = append(req.Upsertions, u)
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	for _, result := range resp.(*kmsg.AlterUserSCRAMCredentialsResponse).Results {
		if result.ErrorCode != 0 {
			return fmt.Errorf("code %d for %s", result.ErrorCode, result.User)
		}
	}
	return nil
}

// insist repeats a step until it succeeds, the node ends or the time is over.
func (n *Node) insist(ctx context.Context, step func() error) error {
	every := time.NewTicker(50 * time.Millisecond)
	defer every.Stop()
	for {
		err := step()
		if err == nil {
			return nil
		}
		select {
		case <-n.process.Done():
			return n.ended("Apache Kafka", n.process, "kafka.log")
		case <-ctx.Done():
			return fmt.Errorf("%w\n%s", err, n.Log())
		case <-every.C:
		}
	}
}
