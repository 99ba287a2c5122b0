"""``make docs``: the pages of ``docs`` as a site that is searched, with a version for each tag."""
