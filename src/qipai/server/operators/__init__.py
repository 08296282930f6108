"""`/api/operator/…`: what operators and moderators see and do over HTTP."""
