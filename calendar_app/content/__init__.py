"""What texts and fields become before they are stored."""
