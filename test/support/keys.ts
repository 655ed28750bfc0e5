import { SandboxControl } from '../../sandbox/sandbox-control.js';

/** The key of every service account under test, made once a run: making one takes longer than most tests. */
export const SERVICE_ACCOUNT_KEY = process.env['TEST_SERVICE_ACCOUNT_KEY'] ?? '';

/** The control plane, with one key for all service accounts. */
export class TestControl extends SandboxControl {
  override chromeAccount(wish: object = {}): ReturnType<SandboxControl['chromeAccount']> {
    return super.chromeAccount({ serviceAccount: { private_key: SERVICE_ACCOUNT_KEY }, ...wish });
  }
}
