/** What other ways of signing in need of the second factor. */
export { SecondFactorField } from './second-factor.dto.js';
export { SecondFactorsRepository } from './second-factors.repository.js';
