"""Live rooms: commands, execution, fan-out, alarms."""
