"""Meta-evaluation of metrics: how far their scores agree with people's judgments."""
