"""Commands for operators, also beside the running server: each act is an entry in the log of acts."""
