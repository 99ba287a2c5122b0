"""What runs the application: a master, its workers, and how they speak HTTP."""
