package config

// Summary is what an environment says of its connection without getting any
// password: for a list of environments, where no command may be run.
type Summary struct {
	Protocol  string
	Mechanism string
	// User is the environment's own; "" where only a JAAS line has one.
	User string
	// Prompt is set when a person must be asked for a password.
	Prompt string
}

// Summary never fails: what is wrong with the settings is told when the
// environment is opened.
func (e *Environment) Summary() Summary {
	s := &settings{values: map[string]property{}}
	if e.properties != "" {
		if read, err := readSettings(e.properties); err == nil {
			s = read
			defer s.wipe()
		}
	}
	told := func(key, otherwise string) string {
		text := otherwise
		if s.has(key) {
			text = s.text(key)
		}
		for _, own := range e.settings {
			if own.key == key && own.from.key == "" {
				own.value.Use(func(b []byte) { text = string(b) })
			}
		}
		return text
	}
	sum := Summary{Protocol: told("security.protocol", "PLAINTEXT"), User: e.user}
	if sum.Protocol == "SASL_SSL" || sum.Protocol == "SASL_PLAINTEXT" {
		sum.Mechanism = told("sasl.mechanism", "")
		if e.password.prompt {
			sum.Prompt = "password of " + e.user + " at " + e.Name
		}
	}
	return sum
}
