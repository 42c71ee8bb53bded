"""The report of a compilation: what the stages say as one model, and the page that shows it."""
