"""The readers of sources: each kind of calendar as events of this one."""
