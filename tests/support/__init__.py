"""What tests stand on: a stage with virtual time, a real server, scripted stores."""
