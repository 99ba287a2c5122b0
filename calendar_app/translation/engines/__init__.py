"""Machines that translate: a function of the installation, LibreTranslate, DeepL."""
