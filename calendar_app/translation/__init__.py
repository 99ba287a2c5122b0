"""Translating many texts at once: what lacks, proposals that wait for people, and the job."""
