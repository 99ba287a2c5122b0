"""Anna: the user that tests of accounts know, her secret, and where she calls from."""

HOME = "192.0.2.1"
SECRET = "abcd EFGH ijkl MNOP 1234 5678"
