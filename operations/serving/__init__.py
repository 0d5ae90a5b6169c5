"""The running site: web server, workers and schedules as one tree of processes that starts, stops and dies together."""
