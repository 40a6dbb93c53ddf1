package websearch

// FindCredentialsAt is FindCredentials with another home directory of the account.
func FindCredentialsAt(lookupEnv func(string) (string, bool), accountHome string) Credentials {
	return findCredentials(lookupEnv, func() string { return accountHome })
}

// Equal reports whether both hold the same credentials.
func (c Credentials) Equal(other Credentials) bool {
	return reveal(c.apiKey) == reveal(other.apiKey) && reveal(c.engineID) == reveal(other.engineID)
}

// HostOf is hostOf.
var HostOf = hostOf
