package kdc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dtok/kafka/contract/child"
)

// Name is the realm's name.
const Name = "DTOK.TEST"

// Realm is a running KDC with its principals.
type Realm struct {
	// Dir holds its files.
	Dir string
	// Config is the path of the krb5.conf that clients need.
	Config string

	port     int
	programs programs
	process  *child.Process
}

const startTime = 2 * time.Minute

// Start starts a KDC that has no principals yet. The caller stops it; should
// the caller die first, the KDC dies with it.
func Start(ctx context.Context) (*Realm, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	found, err := findPrograms(ctx)
	if err != nil {
		return nil, err
	}
	r := &Realm{programs: found}
	if err := r.start(ctx); err != nil {
		r.Stop()
		return nil, err
	}
	return r, nil
}

func (r *Realm) start(ctx context.Context) (err error) {
	if r.Dir, err = child.Folder("dtok-kdc-"); err != nil {
		return err
	}
	ports, err := child.FreePorts("kdc")
	if err != nil {
		return err
	}
	r.port, r.Config = ports["kdc"], filepath.Join(r.Dir, "krb5.conf")
	if err := r.writeFiles(); err != nil {
		return err
	}
	// The master password only seals the stash file beside it.
	if err := r.run(ctx, r.programs.util, "", "create", "-s", "-r", Name, "-P", "master-of-a-test"); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(r.Dir, "kdc.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	if r.process, err = child.Start(r.Dir, log, r.env(), r.programs.kdc, "-n", "-r", Name); err != nil {
		return err
	}
	return r.awaitReady(ctx)
}

func (r *Realm) writeFiles() error {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(r.port))
	client := fmt.Sprintf(`[libdefaults]
  default_realm = %s
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
  udp_preference_limit = 1
  default_tkt_enctypes = aes256-cts-hmac-sha1-96
  default_tgs_enctypes = aes256-cts-hmac-sha1-96
  permitted_enctypes = aes256-cts-hmac-sha1-96
[realms]
  %s = {
    kdc = %s
  }
[domain_realm]
  localhost = %s
[logging]
  kdc = STDERR
`, Name, Name, address, Name)
	server := fmt.Sprintf(`[kdcdefaults]
  kdc_listen = %s
  kdc_tcp_listen = %s
[realms]
  %s = {
    database_name = %s/principal
    key_stash_file = %s/stash
    acl_file = %s/kadm5.acl
    supported_enctypes = aes256-cts-hmac-sha1-96:normal
    default_principal_flags = +preauth
  }
`, address, address, Name, r.Dir, r.Dir, r.Dir)
	if r.programs.plugins != "" {
		server += "[dbmodules]\n  db_module_dir = " + r.programs.plugins + "\n"
	}
	for name, text := range map[string]string{"krb5.conf": client, "kdc.conf": server} {
		if err := os.WriteFile(filepath.Join(r.Dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (r *Realm) env() []string {
	env := []string{"KRB5_CONFIG=" + r.Config, "KRB5_KDC_PROFILE=" + filepath.Join(r.Dir, "kdc.conf")}
	if r.programs.libs != "" {
		env = append(env, "LD_LIBRARY_PATH="+r.programs.libs)
	}
	return env
}

func (r *Realm) awaitReady(ctx context.Context) error {
	every := time.NewTicker(20 * time.Millisecond)
	defer every.Stop()
	for {
		c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(r.port)))
		if err == nil {
			return c.Close()
		}
		select {
		case <-r.process.Done():
			return fmt.Errorf("the KDC ended while it was starting: %w\n%s", r.process.Err(), r.Log())
		case <-ctx.Done():
			return fmt.Errorf("the KDC does not serve: %w\n%s", err, r.Log())
		case <-every.C:
		}
	}
}

// Add makes principals whose password is the given one, or with "" a random
// key.
func (r *Realm) Add(ctx context.Context, password string, names ...string) error {
	for _, name := range names {
		how := "-randkey"
		if password != "" {
			how = "-pw " + password
		}
		if err := r.admin(ctx, "addprinc "+how+" "+name); err != nil {
			return err
		}
	}
	return nil
}

// Keytab writes the present keys of a principal to a file in Dir and returns
// its path.
func (r *Realm) Keytab(ctx context.Context, name string) (string, error) {
	path := filepath.Join(r.Dir, strings.ReplaceAll(name, "/", "_")+".keytab")
	return path, r.admin(ctx, "ktadd -norandkey -k "+path+" "+name)
}

// ChangeKey gives a principal a new random key, so that keytabs made before are
// of no use.
func (r *Realm) ChangeKey(ctx context.Context, name string) error {
	return r.admin(ctx, "cpw -randkey "+name)
}

// Remove removes a principal.
func (r *Realm) Remove(ctx context.Context, name string) error {
	return r.admin(ctx, "delprinc -force "+name)
}

// Kinit gets a ticket as people do and returns the path of the cache it is in.
// life is such as "10h".
func (r *Realm) Kinit(ctx context.Context, name, password, life string) (string, error) {
	path := filepath.Join(r.Dir, strings.ReplaceAll(name, "/", "_")+".cache")
	return path, r.run(ctx, r.programs.kinit, password+"\n", "-l", life, "-c", "FILE:"+path, name)
}

func (r *Realm) admin(ctx context.Context, query string) error {
	return r.run(ctx, r.programs.admin, "", "-r", Name, "-q", query)
}

// run runs a program of the realm. Those of MIT end with 0 also when they
// failed, and then have said so.
func (r *Realm) run(ctx context.Context, program, input string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, append(os.Environ(), r.env()...), strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	for _, line := range bytes.Split(out, []byte("\n")) {
		if bytes.Contains(line, []byte("while ")) && !bytes.HasPrefix(line, []byte("WARNING")) && err == nil {
			err = errors.New("it failed")
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, out)
	}
	return nil
}

// Log is what the KDC wrote.
func (r *Realm) Log() string {
	b, _ := os.ReadFile(filepath.Join(r.Dir, "kdc.log"))
	return string(b)
}

// Down ends the KDC and keeps the files, so that clients meet a closed port.
func (r *Realm) Down() {
	if r.process != nil {
		r.process.Kill()
	}
}

// Stop ends the KDC and removes its files.
func (r *Realm) Stop() {
	r.Down()
	if r.Dir != "" {
		os.RemoveAll(r.Dir)
	}
}
