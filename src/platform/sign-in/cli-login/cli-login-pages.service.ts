import { Injectable } from '@nestjs/common';
import type { SessionCaller } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import type { PageAnswer } from '../../../common/http/index.js';
import { API_PREFIX } from '../../../common/http/index.js';
import { Problem } from '../../../common/problems/index.js';
import { AuthService } from '../auth.service.js';
import { SessionsService } from '../../accounts/index.js';
import type { DecisionForm, SignInForm } from './cli-login.dto.js';
import { codePage, DECIDED, decisionPage, signInPage, type SignInQuestion } from './cli-login-pages.js';
import { CliLoginExpired } from './cli-login.problems.js';
import { CLI_LOGIN_PATH, CliLoginsService } from './cli-logins.service.js';
import { readUserCode } from './user-code.js';

/** The answer to a browser, and the secret of a session that it is to keep. */
export type CliLoginAnswer = PageAnswer & { readonly secret?: string };

/** The pages on which a person signs in, if need be, and decides about a log-in at a shell. */
@Injectable()
export class CliLoginPagesService {
  private readonly home: string;

  constructor(
    private readonly config: Config,
    private readonly auth: AuthService,
    private readonly sessions: SessionsService,
    private readonly logins: CliLoginsService,
  ) {
    this.home = `${config.basePath}/${CLI_LOGIN_PATH}`;
  }

  /**
   * Shows what comes next: the code to be typed, a form to sign in, or the decision.
   * @param secret of the browser's session, if it has one
   */
  async show(
    secret: string | undefined,
    query: { readonly code?: unknown; readonly as?: unknown },
  ): Promise<CliLoginAnswer> {
    const userCode = typeof query.code === 'string' ? readUserCode(query.code) : null;
    if (userCode === null) return { page: codePage(this.home, query.code ? NO_CODE : undefined) };
    const caller = query.as === 'other' ? null : await this.callerOf(secret);
    if (caller === null) return { page: await this.signInPage(userCode) };
    try {
      const { name } = await this.logins.find(caller, userCode);
      return { page: decisionPage(this.home, userCode, name, await this.auth.me(caller)) };
    } catch (problem) {
      if (!(problem instanceof CliLoginExpired)) throw problem;
      return { page: codePage(this.home, problem.message), status: problem.spec.status };
    }
  }

  /** Signs in by password and continues to the decision; shows the form again, with the error, when that fails. */
  async signIn({ userCode: typed, ...login }: SignInForm, address: string): Promise<CliLoginAnswer> {
    const userCode = readUserCode(typed) ?? '';
    try {
      const { secret } = await this.auth.logIn(login, address);
      return { secret, redirect: this.pathOf(userCode) };
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      const wrong = { email: login.email, fault: problem.message };
      return { page: await this.signInPage(userCode, wrong), status: problem.spec.status };
    }
  }

  /** Carries out what the person decided; without a session, the person signs in first. */
  async decide(secret: string | undefined, form: DecisionForm): Promise<CliLoginAnswer> {
    const caller = await this.callerOf(secret);
    if (caller === null) return { redirect: this.pathOf(readUserCode(form.userCode) ?? '') };
    await this.logins.decide(caller, form);
    return { page: DECIDED[form.decision] };
  }

  private async callerOf(secret: string | undefined): Promise<SessionCaller | null> {
    const { userId, sessionId, ...caller } = (await this.sessions.find(secret))?.caller ?? NOBODY;
    return userId === null || sessionId === null || !('tenantId' in caller) ? null : { ...caller, userId, sessionId };
  }

  private async signInPage(userCode: string, wrong: Pick<SignInQuestion, 'email' | 'fault'> = {}): Promise<string> {
    const returnTo = new URLSearchParams({ returnTo: `/${CLI_LOGIN_PATH}?code=${userCode}` });
    const oidcUrl = `${this.config.basePath}${API_PREFIX}/auth/oidc?${returnTo.toString()}`;
    return signInPage(this.home, { userCode, ways: await this.auth.methods(), oidcUrl, ...wrong });
  }

  private pathOf(userCode: string): string {
    return `${this.home}?code=${userCode}`;
  }
}

const NO_CODE = 'A code has eight letters, such as WDJB-MJHT.';
const NOBODY = { userId: null, sessionId: null };
