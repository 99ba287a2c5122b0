"""A mongod of our own: a child process that is reachable through a private unix socket alone."""
