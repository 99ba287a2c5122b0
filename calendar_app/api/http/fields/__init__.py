"""Marshmallow fields for request parameters and bodies."""
