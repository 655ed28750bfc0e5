/** Tokens of CI services: the verified one, its run, and which were exchanged. */
export { type CiRun, isTrustedEvent, originOf } from './ci-run.js';
export { CiTokenVerifier, type VerifiedCiToken } from './ci-token-verifier.js';
export { ExchangedCiTokenEntity } from './exchanged-ci-token.entity.js';
export { CiIssuerUnreachable, CiTokenInvalid, CiTokenUsed } from './ci-tokens.problems.js';
