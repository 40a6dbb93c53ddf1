package websearch

// FindCredentialsAt is FindCredentials with a given home directory.
func FindCredentialsAt(lookupEnv func(string) (string, bool), accountHome string) Credentials {
	return findCredentials(lookupEnv, func() string { return accountHome })
}

// Equal reports whether both contain the same credentials.
func (c Credentials) Equal(other Credentials) bool {
	return reveal(c.apiKey) == reveal(other.apiKey) && reveal(c.engineID) == reveal(other.engineID)
}

// HostOf is hostOf.
var HostOf = hostOf
