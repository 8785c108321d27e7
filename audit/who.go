package audit

import (
	"os"
	"os/user"
	"strconv"
	"strings"
)

// Who is who made a change, as far as this machine can tell. Environment
// variables can be set by anyone, so sudo_user and ssh_client are hints to
// follow up, not proof; the principal is the one that the broker knows.
type Who struct {
	// OSUser is the name of the process's user, or "uid N" without a name.
	OSUser   string `json:"os_user"`
	SudoUser string `json:"sudo_user,omitempty"`
	Host     string `json:"host,omitempty"`
	// SSHClient is the address that an SSH session came from.
	SSHClient string `json:"ssh_client,omitempty"`
	// Principal is who the connection acts as towards Kafka; "" where only
	// the broker knows it (client certificates, OAuth).
	Principal string `json:"principal,omitempty"`
}

// Here reads who is using this process from the system and, through getenv
// (os.Getenv), from SUDO_USER and SSH_CONNECTION. The principal is not known
// here: it belongs to a connection.
func Here(getenv func(string) string) Who {
	who := Who{
		OSUser:   "uid " + strconv.Itoa(os.Getuid()),
		SudoUser: getenv("SUDO_USER"),
	}
	if u, err := user.LookupId(strconv.Itoa(os.Getuid())); err == nil {
		who.OSUser = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		who.Host = host
	}
	// SSH_CONNECTION is "client-address client-port server-address server-port".
	if fields := strings.Fields(getenv("SSH_CONNECTION")); len(fields) > 0 {
		who.SSHClient = fields[0]
	}
	return who
}
