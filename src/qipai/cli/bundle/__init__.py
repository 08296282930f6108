"""`qipai bundle`: what a bug report needs to know of a server, without secrets and persons."""
