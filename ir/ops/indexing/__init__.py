"""Parts of arrays: subscripts, index arrays, scattering."""
