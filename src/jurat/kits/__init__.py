"""Kits: packets of items for one judge each, built from a test set, a protocol and a plan.

`build` makes them, `audit` checks them before a campaign starts, `eligibility` and `policies`
decide who gets which. All functions are pure: nothing is read or stored here.
"""
