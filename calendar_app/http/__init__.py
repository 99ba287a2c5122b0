"""What all REST resources share: requests in, answers and refusals out."""
