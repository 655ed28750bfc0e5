import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';
import { Config } from '../../../common/config/index.js';
import { asText, withoutTrailingSlashes } from '../../../common/net/index.js';
import { Clock, DAY_SECONDS, SECOND_MS } from '../../../common/system/index.js';
import { runOf, type CiRun } from './ci-run.js';
import { CiTokenInvalid, type CiTokenFault } from './ci-tokens.problems.js';
import { IssuerKeys } from './issuer-keys.js';

/** Only algorithms that verify with a public key. A shared key would let everybody who can verify a token sign one too. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const TOLERANCE_SECONDS = 30;
/** Longer than any job that asks for a token runs; a token that was exchanged is remembered for this time. */
const MAX_AGE_SECONDS = DAY_SECONDS;
/** An exchanged token is remembered for longer than it is valid, since the clocks of several servers differ. */
const REMEMBERED_SECONDS = 600;

/** A token of a CI service whose signature, audience and times are right. */
export interface VerifiedCiToken {
  readonly run: CiRun;
  /** Identifies the token, however it is written. */
  readonly digest: Buffer;
  /** From then on no server accepts the token, and its digest can be deleted. */
  readonly forgettableAt: Date;
}

/** Verifies OpenID Connect tokens of CI services. */
@Injectable()
export class CiTokenVerifier {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly keys: IssuerKeys,
  ) {}

  async verify(token: string): Promise<VerifiedCiToken> {
    try {
      return await this.verified(token);
    } catch (error) {
      // jose throws a TypeError for a key that is too weak for its algorithm.
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw this.invalid(faultOf(error));
      throw error;
    }
  }

  private async verified(token: string): Promise<VerifiedCiToken> {
    const issuer = withoutTrailingSlashes(asText(decodeJwt(token).iss) ?? '');
    // Before anything is fetched, or a token could choose which URL this service calls.
    if (!this.config.ciIssuers.includes(issuer)) throw this.invalid('issuer');
    const { payload } = await jwtVerify(token, await this.keys.of(issuer), {
      algorithms: ALGORITHMS,
      audience: [this.config.publicUrl, `${this.config.publicUrl}/`],
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: this.clock.now(),
      maxTokenAge: MAX_AGE_SECONDS,
      requiredClaims: ['exp'],
    });
    const run = runOf(issuer, payload);
    if (run === null || payload.exp === undefined || payload.iat === undefined) throw this.invalid('malformed');
    // Every other audience could exchange the token too.
    if (Array.isArray(payload.aud) && payload.aud.length > 1) throw this.invalid('audience');
    const lastSecond = Math.min(payload.exp, payload.iat + MAX_AGE_SECONDS) + TOLERANCE_SECONDS;
    const forgettableAt = new Date((lastSecond + REMEMBERED_SECONDS) * SECOND_MS);
    return { run, digest: digestOf(issuer, payload, token), forgettableAt };
  }

  private invalid(fault: CiTokenFault): Error {
    return new CiTokenInvalid(fault, this.config.publicUrl);
  }
}

/** Leaves out the signature, which can be written in several ways. */
function digestOf(issuer: string, { jti }: JWTPayload, token: string): Buffer {
  const identity =
    typeof jti === 'string' && jti !== '' ? ['jti', jti] : ['text', token.slice(0, token.lastIndexOf('.'))];
  return createHash('sha256')
    .update(JSON.stringify([issuer, ...identity]))
    .digest();
}

const FAULT_OF_CLAIM: Readonly<Record<string, CiTokenFault>> = {
  aud: 'audience',
  exp: 'expired',
  nbf: 'not_yet_valid',
  iat: 'not_yet_valid',
};

function faultOf(error: Error): CiTokenFault {
  // Also thrown for a token that was made too long ago.
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.reason === 'check_failed' ? (FAULT_OF_CLAIM[error.claim] ?? 'malformed') : 'malformed';
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) return 'algorithm';
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'unknown_key';
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof TypeError) return 'signature';
  return 'malformed';
}
