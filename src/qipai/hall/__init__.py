"""The glue: sessions, mailboxes, group commit, alarms, fan-out, lobby and bots."""
