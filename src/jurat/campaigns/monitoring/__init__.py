"""What coordinators see of a running campaign: how far it is, what it says so far, who did what.

Nothing here is for judges: systems go by their names.
"""
