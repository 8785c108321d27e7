package config

import "github.com/pelletier/go-toml/v2"

// importKcl reads kcl's config, which is TOML; nil when the file is none. A
// file that is no TOML at all is left to the other readers, whose messages
// quote nothing, while the module's errors quote the line.
func importKcl(path string, data []byte) *imported {
	var content map[string]any
	if err := toml.Unmarshal(data, &content); err != nil {
		return nil
	}
	t := newTree(content)
	if !t.has("seed_brokers") && (!t.has("profiles") || t.get("profiles").isList()) {
		return nil
	}
	i := &imported{path: path, tool: "kcl", standard: t.text("current_profile")}
	profiles := t.get("profiles")
	if len(profiles.children) == 0 {
		i.addKcl("kcl", t)
		return i
	}
	// With profiles kcl does not look at what stands outside.
	for _, p := range profiles.entries() {
		i.addKcl(profiles.nameOf(p), p)
	}
	return i
}

func (i *imported) addKcl(name string, p *tree) {
	c := cluster{
		name: name, brokers: p.words("seed_brokers"),
		mechanism: p.text("sasl", "method"), user: p.text("sasl", "user"), password: p.text("sasl", "pass") != "",
		token: p.flag("sasl", "is_token"),
		// An empty table switches TLS on.
		tls: p.has("tls"), ca: p.text("tls", "ca_cert_path"), cert: p.text("tls", "client_cert_path"), key: p.text("tls", "client_key_path"),
		insecure: p.flag("tls", "insecure"),
	}
	c.rest = p.unused("")
	i.add(c)
}
