"""What the pages for people and the desk share: texts, templates, files, headers."""
