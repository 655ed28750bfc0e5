import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../common/access/index.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AccountsService } from './accounts.service.js';
import type { Login, Me, Signup, TradedToken } from './identity.dto.js';
import { SessionsService } from './sessions.service.js';

/** What a person does at the door: come in, look in the mirror, leave. */
@Injectable()
export class AuthService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly tokens: AccessTokensService,
  ) {}

  async signUp(input: Signup, response: Response): Promise<Me> {
    return this.welcome(await this.accounts.signUp(input), response);
  }

  async logIn(input: Login, address: string, response: Response): Promise<Me> {
    return this.welcome(await this.accounts.logIn(input, address), response);
  }

  me(caller: Caller): Promise<Me> {
    return this.accounts.me(theSession(caller).userId);
  }

  logOut(caller: Caller, response: Response): Promise<void> {
    return this.sessions.end(theSession(caller).sessionId, response);
  }

  trade(caller: Caller): Promise<TradedToken> {
    return this.tokens.trade(caller);
  }

  private async welcome(me: Me, response: Response): Promise<Me> {
    await this.sessions.begin(me.user.id, response);
    return me;
  }
}

function theSession({ userId, sessionId }: Caller): { readonly userId: string; readonly sessionId: string } {
  if (userId === null || sessionId === null) throw new Error('Only a Session route may ask for the session');
  return { userId, sessionId };
}
