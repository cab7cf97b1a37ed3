"""Live evidence of GPUs: telemetry, saved metrics, node lists and tables become rows of the Pools tab."""
