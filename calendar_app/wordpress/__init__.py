"""The routes of WordPress that programs for The Events Calendar use beside it."""
