import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** What a token is signed with, and how its header is to be. */
export interface Signing {
  readonly alg?: string;
  readonly kid?: string;
  readonly key?: Parameters<SignJWT['sign']>[0];
  readonly header?: object;
}

/** An issuer of OpenID Connect tokens on this machine, which signs what it is asked to, as GitHub Actions does for a job. */
export class CiIssuer {
  /** What it answers at its two addresses instead of the truth. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
  /** The paths that were asked for. */
  readonly asked: string[] = [];

  private constructor(
    private readonly server: Server,
    private key: { readonly kid: string; readonly privateKey: PrivateKey },
    private published: readonly JWK[],
  ) {}

  static async start(): Promise<CiIssuer> {
    const server = createServer();
    const issuer = new CiIssuer(server, { kid: '', privateKey: null as never }, []);
    await issuer.rotate();
    server.on('request', (request, response) => issuer.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The public key of its tokens. */
  get publicKey(): JWK {
    return this.published[0] ?? {};
  }

  /** Signs with a new key from now on, and no longer publishes the former one. */
  async rotate(alg = 'RS256'): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const kid = randomUUID();
    this.key = { kid, privateKey };
    this.published = [{ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }];
  }

  /** Signs a token. */
  async sign(claims: JWTPayload, { alg, kid, key, header = {} }: Signing = {}): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({
        typ: 'JWT',
        kid: kid ?? this.key.kid,
        ...header,
        alg: alg ?? this.publicKey.alg ?? 'RS256',
      })
      .sign(key ?? this.key.privateKey);
  }

  /** Signs a token of a job on the branch `main`, as GitHub Actions writes it. */
  run(repository: string, audience: string, at: Date): Promise<string> {
    const now = Math.floor(at.getTime() / 1000);
    const ref = 'refs/heads/main';
    const times = { iat: now, nbf: now - 600, exp: now + 300 };
    const job = {
      repository,
      repository_id: '74',
      repository_owner_id: '65',
      ref,
      event_name: 'push',
      run_id: '2468',
      sha: '8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81',
      workflow_ref: `${repository}/.github/workflows/release.yml@${ref}`,
    };
    const sub = `repo:${repository}:ref:${ref}`;
    return this.sign({ iss: this.url, aud: audience, jti: randomUUID(), sub, ...times, ...job });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(request.url ?? '');
    if (this.answer !== null) return this.answer(request, response);
    const found =
      request.url === '/.well-known/openid-configuration'
        ? { issuer: this.url, jwks_uri: `${this.url}/keys` }
        : { keys: this.published };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
  }
}
