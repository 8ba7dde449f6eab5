"""Kits: packets of items for one judge each, built from a test set, a protocol and a plan.

`build` makes them, `audit` checks them before a campaign starts, `eligibility` and `policies` say
who gets which. Everything is computed from arguments and a seed: nothing is read or stored here.
"""
