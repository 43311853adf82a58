"""What drives a process: it claims facts and jobs, runs each in its lane, ticks, and knows its place among others."""
