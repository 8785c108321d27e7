package config

import (
	"net/url"
	"strings"
)

// tool is another client whose config can be read.
type tool struct {
	name string
	is   func(*tree) bool
	read func(*imported, *tree)
}

// tools are told apart by the keys that only they have.
func tools() []tool {
	clusters := func(brokers string) func(*tree) bool {
		return func(t *tree) bool {
			list := t.get("clusters")
			return list.isList() && len(list.entries()) > 0 && list.entries()[0].has(brokers)
		}
	}
	return []tool{
		{"rpk", func(t *tree) bool { return t.get("profiles").isList() }, readRpk},
		{"kafkactl", func(t *tree) bool { return t.has("contexts") && !t.get("contexts").isList() }, readKafkactl},
		{"kaf", clusters("brokers"), readKaf},
		{"ktea", clusters("servers"), readKtea},
		{"ktea", clusters("bootstrap-servers"), readKtea},
	}
}

// cluster is what the tools say of one cluster, in common terms.
type cluster struct {
	name      string
	brokers   []string
	clientID  string
	mechanism string // "" without SASL, as the tool spells it
	user      string
	password  bool // the file holds one
	token     bool // user and password are a delegation token
	tls       bool
	ca        string
	cert, key string
	keySecret bool // the key has a password
	insecure  bool
	rest      []string // keys that were not looked at
}

// add turns a cluster into an environment.
func (i *imported) add(c cluster) {
	e := importedEnvironment{name: c.name, user: c.user}
	for _, address := range c.brokers {
		if _, err := Addresses(address); err != nil {
			i.note("%s: %v; left out", c.name, err)
			continue
		}
		e.bootstrap = append(e.bootstrap, address)
	}
	if len(c.rest) > 0 {
		i.note("%s: not carried over: %s", c.name, strings.Join(c.rest, ", "))
	}
	if len(e.bootstrap) == 0 {
		i.note("%s names no brokers and is left out", c.name)
		return
	}
	protocol := "PLAINTEXT"
	if c.tls {
		protocol = "SSL"
	}
	if c.mechanism != "" {
		protocol = "SASL_" + protocol
	}
	e.set("security.protocol", protocol)
	if c.clientID != "" {
		e.set("client.id", c.clientID)
	}
	i.addSASL(&e, c)
	if c.tls {
		i.addTLS(&e, c)
	}
	i.environments = append(i.environments, e)
}

func (i *imported) addSASL(e *importedEnvironment, c cluster) {
	if c.mechanism == "" {
		e.user = ""
		return
	}
	mechanism := mechanismOf(c.mechanism)
	switch mechanism {
	case "":
		i.note("%s signs in by a mechanism that dtok does not speak; sasl.mechanism must be set", c.name)
		return
	case "OAUTHBEARER":
		// Only kaf says enough, and adds the rest itself.
		if c.user == "" {
			i.note("%s signs in by OAUTHBEARER with a token that the tool itself gets; its token endpoint must be set, see the settings sasl.oauthbearer", c.name)
		}
	case "GSSAPI":
		i.note("%s signs in by Kerberos; sasl.jaas.config with Krb5LoginModule must be set", c.name)
	}
	e.set("sasl.mechanism", mechanism)
	if c.token && moduleOf(mechanism) == scramModule {
		e.set(jaasKey, scramModule+" required tokenauth=true;")
	}
	e.prompt = c.user != ""
	if c.password {
		i.note("%s: the password stays in %s and is asked for; password_file or password_command can give it", c.name, i.path)
	}
}

func (i *imported) addTLS(e *importedEnvironment, c cluster) {
	if c.ca != "" {
		e.set("ssl.truststore.type", "PEM")
		e.set("ssl.truststore.location", i.resolve(c.ca))
	}
	if c.cert != "" && c.key != "" {
		e.set("ssl.certificate.location", i.resolve(c.cert))
		e.set("ssl.key.location", i.resolve(c.key))
	}
	if c.keySecret {
		i.note("%s: the password of the private key stays in %s; give it with ssl.key.password: {file: FILE}", c.name, i.path)
	}
	if c.insecure {
		i.note("%s does not check the broker's certificate, which dtok always does: give the CA with ssl.truststore.location", c.name)
	}
}

// mechanismOf is Kafka's word for what tools call a mechanism.
func mechanismOf(word string) string {
	letters := strings.NewReplacer("-", "", "_", "").Replace(strings.ToUpper(word))
	switch strings.TrimPrefix(letters, "SASL") {
	case "PLAIN", "PLAINTEXT":
		return "PLAIN"
	case "SCRAMSHA256":
		return "SCRAM-SHA-256"
	case "SCRAMSHA512":
		return "SCRAM-SHA-512"
	case "OAUTH", "OAUTHBEARER":
		return "OAUTHBEARER"
	case "GSSAPI", "KERBEROS":
		return "GSSAPI"
	}
	return ""
}

// readRpk reads rpk.yaml: profiles, of which only the Kafka API counts here.
func readRpk(i *imported, t *tree) {
	i.standard = t.text("current_profile")
	for _, p := range t.get("profiles").entries() {
		api := p.get("kafka_api")
		c := cluster{
			name: p.text("name"), brokers: api.words("brokers"),
			mechanism: api.text("sasl", "mechanism"), user: api.text("sasl", "user"), password: api.text("sasl", "password") != "",
			// An empty tls section switches it on.
			tls: api.has("tls") && api.get("tls").value != nil,
			ca:  api.text("tls", "ca_file"), cert: api.text("tls", "cert_file"), key: api.text("tls", "key_file"),
			insecure: api.flag("tls", "insecure_skip_verify"),
		}
		if c.ca == "" {
			c.ca = api.text("tls", "truststore_file")
		}
		if c.mechanism == "" && c.user != "" {
			c.mechanism = "SCRAM-SHA-256"
		}
		p.text("description")
		c.rest = p.unused("")
		i.add(c)
	}
}

// readKafkactl reads the contexts of kafkactl.
func readKafkactl(i *imported, t *tree) {
	i.standard = t.text("current-context")
	contexts := t.get("contexts")
	for _, p := range contexts.entries() {
		c := cluster{
			name: contexts.nameOf(p), brokers: p.words("brokers"), clientID: p.text("clientID"),
			user: p.text("sasl", "username"), password: p.text("sasl", "password") != "",
			tls: p.flag("tls", "enabled"), ca: p.text("tls", "ca"), cert: p.text("tls", "cert"), key: p.text("tls", "certKey"),
			keySecret: p.text("tls", "certKeyPassphrase") != "", insecure: p.flag("tls", "insecure"),
		}
		if mechanism := p.text("sasl", "mechanism"); p.flag("sasl", "enabled") {
			c.mechanism = mechanism
			if mechanism == "" {
				c.mechanism = "PLAIN"
			}
		}
		p.text("kafkaVersion")
		c.rest = p.unused("")
		i.add(c)
	}
}

// readKaf reads the clusters of kaf.
func readKaf(i *imported, t *tree) {
	i.standard = t.text("current-cluster")
	for _, p := range t.get("clusters").entries() {
		protocol := strings.ToUpper(p.text("security-protocol"))
		c := cluster{
			name: p.text("name"), brokers: p.words("brokers"),
			mechanism: p.text("SASL", "mechanism"), user: p.text("SASL", "username"), password: p.text("SASL", "password") != "",
			tls: strings.HasSuffix(protocol, "SSL") || p.has("TLS") && p.get("TLS").value != nil,
			ca:  p.text("TLS", "cafile"), cert: p.text("TLS", "clientfile"), key: p.text("TLS", "clientkeyfile"),
			insecure: p.flag("TLS", "insecure"),
		}
		if c.mechanism == "" && (c.user != "" || strings.HasPrefix(protocol, "SASL_")) {
			c.mechanism = "PLAIN"
		}
		p.text("version")
		p.text("SASL", "version")
		endpoint, id := p.text("SASL", "tokenURL"), p.text("SASL", "clientID")
		scopes := strings.Join(p.words("SASL", "scopes"), " ")
		secret := p.text("SASL", "clientSecret") != ""
		oauth := mechanismOf(c.mechanism) == "OAUTHBEARER" && endpoint != "" && id != ""
		if oauth {
			c.user, c.password = id, secret
		}
		c.rest = p.unused("")
		before := len(i.environments)
		i.add(c)
		if oauth && len(i.environments) > before {
			i.environments[before].addOAuth(i, endpoint, scopes)
		}
	}
}

// addOAuth says what Kafka's own clients need for a token endpoint. The client
// id is the environment's user.
func (e *importedEnvironment) addOAuth(i *imported, endpoint, scopes string) {
	if u, err := url.Parse(endpoint); err != nil || u.User != nil {
		i.note("%s: the token endpoint is not carried over; set %s", e.name, tokenEndpoint)
		return
	}
	e.set(tokenEndpoint, endpoint)
	e.set(loginHandler, oauthPackage+"OAuthBearerLoginCallbackHandler")
	e.set(jaasKey, oauthModule+" required;")
	if scopes != "" {
		e.set("sasl.oauthbearer.scope", scopes)
	}
}

// readKtea reads the clusters of ktea, in the form of its releases so far.
func readKtea(i *imported, t *tree) {
	t.text("plain-fonts")
	for _, p := range t.get("clusters").entries() {
		c := cluster{
			name: p.text("name"), brokers: append(p.words("servers"), p.words("bootstrap-servers")...),
			user: p.text("sasl", "username"), password: p.text("sasl", "password") != "",
			tls: p.flag("ssl-enabled") || p.flag("tls", "enable"),
			ca:  p.text("tls", "caCertPath"), cert: p.text("tls", "clientCert"), key: p.text("tls", "clientKey"),
			insecure: p.flag("tls", "skipVerify"),
		}
		method, protocol := p.text("sasl", "authMethod"), p.text("sasl", "securityProtocol")
		switch {
		case method != "" && !strings.EqualFold(method, "NONE"):
			c.mechanism = method
		case protocol != "" && c.user != "":
			c.mechanism = protocol
		}
		p.text("color")
		if p.flag("active") {
			i.standard = c.name
		}
		c.rest = p.unused("")
		i.add(c)
	}
}
