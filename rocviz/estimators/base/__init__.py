"""What every idea uses."""
