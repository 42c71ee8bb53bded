"""The stage `stablehlo`: what was traced as StableHLO, which XLA, JAX, IREE and others read."""
