/** A row is flagged where it is more probably bad than good. */
export const flagBelow = 0.5
