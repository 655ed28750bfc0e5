import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { Config, isLoopback } from '../../../common/config/index.js';
import { Problem } from '../../../common/problems/index.js';
import { foldEmail, isEmailAddress } from '../../../common/fields/index.js';
import { API_PREFIX } from '../../../common/http/index.js';
import { Clock, HOUR_MS, USER_AGENT } from '../../../common/system/index.js';
import type { ProviderClaims } from './admission.js';
import {
  OidcNotConfigured,
  ProviderAnswerInvalid,
  ProviderUnreachable,
  SignInExpired,
  SignInRefused,
} from './oidc.problems.js';

/** The path of the redirect URI, below `PUBLIC_URL`. */
const CALLBACK_PATH = `${API_PREFIX}/auth/oidc/callback`;
const TIMEOUT_SECONDS = 5;
/** Endpoints and keys of the provider are read again after this time. */
const DISCOVERY_LIFETIME_MS = HOUR_MS;
const DISCOVERY_ATTEMPTS = 2;
const DISCOVERY_PAUSE_MS = 250;

/** Values against which the callback of a sign-in is checked. The browser that began the sign-in keeps it. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** The verifier of PKCE. */
  readonly verifier: string;
}

/** The URL at which a person signs in, and what the callback is checked against. */
export interface AuthorizationRequest extends SignInChecks {
  readonly url: string;
}

interface Discovered {
  readonly configuration: Promise<Configuration>;
  readonly readAt: number;
}

/**
 * The OpenID provider of the settings: authorization code flow with PKCE, state and nonce; ID tokens are verified by signature, issuer,
 * audience, expiry and nonce. The provider is asked for its endpoints at the first sign-in, not at the start of the service, and again after a
 * failure.
 */
@Injectable()
export class OpenIdProvider {
  private discovered: Discovered | null = null;
  private readonly callbackUrl: string;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    this.callbackUrl = config.publicUrl + CALLBACK_PATH;
  }

  /** The provider's name in the log-in form; null when no provider is configured. */
  get name(): string | null {
    const { oidcIssuer, oidcName } = this.config;
    return oidcIssuer === undefined ? null : (oidcName ?? new URL(oidcIssuer).host);
  }

  /** Makes the URL at which a person signs in. */
  async begin(): Promise<AuthorizationRequest> {
    const configuration = await this.configuration();
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.callbackUrl,
      scope: 'openid email',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { ...checks, url: url.href };
  }

  /**
   * Exchanges the code of a callback for what the provider says about the person.
   * @param query of the callback
   */
  async finish(query: string, { state, nonce, verifier }: SignInChecks): Promise<ProviderClaims> {
    const configuration = await this.configuration();
    try {
      const tokens = await authorizationCodeGrant(configuration, new URL(`${this.callbackUrl}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new ProviderAnswerInvalid('it has no ID token');
      const { iss: issuer, sub: subject } = claims;
      if (!SUBJECT.test(subject)) throw new ProviderAnswerInvalid('its ID token names nobody');
      const about =
        claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
          ? await fetchUserInfo(configuration, tokens.access_token, subject)
          : claims;
      return { issuer, subject, verifiedEmail: verifiedEmailOf(about['email'], about['email_verified']) };
    } catch (error) {
      throw problemOf(error);
    }
  }

  private configuration(): Promise<Configuration> {
    const known = this.discovered;
    const readAt = this.clock.now().getTime();
    if (known !== null && readAt - known.readAt < DISCOVERY_LIFETIME_MS) return known.configuration;
    // Simultaneous sign-ins wait for the same answer.
    const configuration = this.discover().catch((error: unknown) => {
      this.discovered = known;
      if (known !== null && error instanceof ProviderUnreachable) return known.configuration;
      throw error;
    });
    this.discovered = { configuration, readAt };
    return configuration;
  }

  private async discover(): Promise<Configuration> {
    const { oidcIssuer, oidcClientId, oidcClientSecret } = this.config;
    if (oidcIssuer === undefined || oidcClientId === undefined) throw new OidcNotConfigured();
    const issuer = new URL(oidcIssuer);
    const isLocal = issuer.protocol === 'http:';
    for (let attempt = 1; ; attempt += 1)
      try {
        return await discovery(issuer, oidcClientId, undefined, authenticationBy(oidcClientSecret), {
          timeout: TIMEOUT_SECONDS,
          [customFetch]: fetchSafely,
          execute: [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])],
        });
      } catch (error) {
        const problem = problemOf(error);
        if (attempt >= DISCOVERY_ATTEMPTS || !(problem instanceof ProviderUnreachable)) throw problem;
        await pause(DISCOVERY_PAUSE_MS);
      }
  }
}

/** Authenticates this service at the token endpoint, in the body where the provider takes that. */
const authenticationBy = (secret: string | undefined): ClientAuth =>
  secret === undefined
    ? None()
    : (server, ...request) => {
        const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
        const authenticate = methods.includes('client_secret_post') ? ClientSecretPost : ClientSecretBasic;
        authenticate(secret)(server, ...request);
      };

/** Sends plain http to this machine only: a provider on it may name endpoints elsewhere. */
const fetchSafely: CustomFetch = (address, options) => {
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'https:' && !isLoopback(hostname)) throw new ProviderAnswerInvalid('an endpoint is not https');
  return fetch(address, { ...options, headers: { ...options.headers, 'user-agent': USER_AGENT } });
};

/** At most 255 ASCII characters (https://openid.net/specs/openid-connect-core-1_0.html#IDToken). */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** Returns the address in lower case; null when there is none, or the provider does not say that it verified it. */
function verifiedEmailOf(email: unknown, isVerified: unknown): string | null {
  if (typeof email !== 'string' || isVerified !== true) return null;
  const folded = foldEmail(email);
  // Lower case turns the Kelvin sign into a k, and so the address into that of somebody else; white space around it is no part of an address.
  return isEmailAddress(folded) && !email.includes('\u212a') && email === email.trim() ? folded : null;
}

/** Translates an error of the library. What the library attaches to it may hold tokens, and is dropped. */
function problemOf(failure: unknown): unknown {
  if (failure instanceof Problem || !(failure instanceof Error)) return failure;
  if (failure instanceof AuthorizationResponseError) return new SignInRefused(failure.error);
  const status = statusOf(failure);
  const why = [failure, failure.cause].flatMap((one) => (one instanceof Error ? [one.message] : [])).join(': ');
  if (failure instanceof ResponseBodyError && status < 500)
    return failure.error === 'invalid_grant'
      ? new SignInExpired()
      : new ProviderAnswerInvalid(`it refuses this service: ${failure.error}`);
  const isNoAnswer = failure.message === 'fetch failed' || ('code' in failure && failure.code === 'OAUTH_TIMEOUT');
  return isNoAnswer || status === 429 || status >= 500
    ? new ProviderUnreachable(new Error(why))
    : new ProviderAnswerInvalid(why);
}

/** Returns the status of the answer that made a request fail; 0 when there was none. */
function statusOf(failure: Error): number {
  if (failure instanceof ResponseBodyError || failure instanceof WWWAuthenticateChallengeError) return failure.status;
  return failure.cause instanceof Response ? failure.cause.status : 0;
}
