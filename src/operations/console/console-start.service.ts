import { Injectable } from '@nestjs/common';
import type { SessionCaller } from '../../common/access/index.js';
import { AuthService } from '../../platform/sign-in/index.js';
import { ExtensionsService } from '../../registry/index.js';
import type { ConsoleStart } from './console-start.dto.js';

/** As many extensions as the console counts in its navigation. */
const EXTENSIONS = 100;

/** Gathers what the console asks for before its first page. */
@Injectable()
export class ConsoleStartService {
  constructor(
    private readonly auth: AuthService,
    private readonly extensions: ExtensionsService,
  ) {}

  /** Shows the caller, and exchanges the session for an access token. */
  async start(caller: SessionCaller): Promise<ConsoleStart> {
    const [me, { token }, extensions] = await Promise.all([
      this.auth.me(caller),
      this.auth.exchange(caller),
      this.extensions.list(caller, { limit: EXTENSIONS }),
    ]);
    return { me, token, extensions };
  }
}
