"""The desk: pages at ``/desk`` for those who keep the calendar."""
