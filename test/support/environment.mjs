import { TestEnvironment } from 'jest-environment-node';

/**
 * Node's environment, with a way out of Jest's module registry, which begins empty in each file: to load the service's three thousand
 * modules there takes seconds. What is imported here is loaded once by each worker.
 */
export default class ServiceEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.loadService = async () => {
      await import('@swc-node/register/esm-register');
      this.service = await import('./service.ts');
      return this.service;
    };
  }

  async teardown() {
    await this.service?.endWorlds();
    await super.teardown();
  }
}
