/** A shorter text begins the ids of most purchases at a processor, so it is no search for one of them. */
export const SHORTEST_PART_OF_ORDER = 6;
