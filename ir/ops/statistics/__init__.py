"""Statistics: histograms, quantiles, counts."""
