/** The second factor, as far as other ways of signing in ask for it. */
export { SecondFactorField } from './second-factor.dto.js';
export { SecondFactorsRepository } from './second-factors.repository.js';
