"""The commands of the command line, one function each: from what was asked to an `Answer`. They print nothing."""
