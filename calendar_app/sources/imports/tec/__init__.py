"""Takes over the calendar of a site that runs The Events Calendar."""
