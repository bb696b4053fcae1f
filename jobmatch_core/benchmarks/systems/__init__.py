"""Systems that can be evaluated: the linker, encoders, lexical baselines."""
