/** Most devices of one license: a quantity multiplies what the plan allows. */
export const MAX_LICENSE_SEATS = 1_000_000;
