package scrape

import (
	"fmt"
	"os"
	"regexp"

	"github.com/prometheus/common/config"
)

var environmentReference = regexp.MustCompile(`^\$\{(\w+)\}$`)

// secretsFromEnvironment replaces secrets of the form ${NAME} by the value of that variable.
func secretsFromEnvironment(c *config.HTTPClientConfig) error {
	var secrets []*config.Secret
	if c.BasicAuth != nil {
		copied := *c.BasicAuth
		c.BasicAuth = &copied
		secrets = append(secrets, &copied.Password)
	}
	if c.Authorization != nil {
		copied := *c.Authorization
		c.Authorization = &copied
		secrets = append(secrets, &copied.Credentials)
	}
	if c.OAuth2 != nil {
		copied := *c.OAuth2
		c.OAuth2 = &copied
		secrets = append(secrets, &copied.ClientSecret)
	}
	for _, secret := range secrets {
		reference := environmentReference.FindStringSubmatch(string(*secret))
		if reference == nil {
			continue
		}
		value, set := os.LookupEnv(reference[1])
		if !set {
			return fmt.Errorf("the environment variable %s, which holds a secret, is not set", reference[1])
		}
		*secret = config.Secret(value)
	}
	return nil
}
